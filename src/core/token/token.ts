import type { FamilyId, TokenConfiguration, TokenId, TokenStatus } from '../../contract/token.ts';

/** A token and everything rotated from it. The configuration is the family's, so a rotation cannot lose any of it. */
export interface TokenFamily {
  readonly id: FamilyId;
  readonly configuration: TokenConfiguration;
  /** Its place in the order in which families began, from 0. */
  readonly ordinal: number;
  /** The last time that a Superseded token of it was used again. */
  readonly lastReuse: Reuse | null;
}

/** Somebody still uses a token that was replaced. */
export interface Reuse {
  readonly tokenId: TokenId;
  readonly atMs: number;
  readonly address: string;
  readonly userAgent: string | null;
}

/** What is kept so that a rotation whose reply was lost can be answered again (`Idempotency-Key`). */
export interface Replay {
  /** SHA-256 of the idempotency key. */
  readonly keyDigest: string;
  /** The successor's value, encrypted with a key that only the source token and the epoch's key give together. */
  readonly sealedReply: string;
  readonly keyEpoch: string;
  readonly untilMs: number;
}

/** One generation of a family. Instants are milliseconds since the epoch, on the wall clock. */
export interface Token {
  readonly id: TokenId;
  readonly familyId: FamilyId;
  /** Counts from 1. */
  readonly generation: number;
  /** SHA-256 of the value, base64url. The value is kept nowhere. */
  readonly digest: string;
  /** As recorded; ask `statusAt` for what is true now. */
  readonly status: TokenStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly firstUsedAtMs: number | null;
  /** When its recorded status last changed; null where that was written down before it was kept. */
  readonly changedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly reason: string | null;
  readonly replay: Replay | null;
  /** Its place in the order of issue, from 0. */
  readonly ordinal: number;
  readonly familyOrdinal: number;
}

/** A short-lived token under an API token; it ends with its parent. */
export interface AccessToken {
  readonly digest: string;
  readonly parentId: TokenId;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export const dayMs = 86_400_000;

/** `fam_x` with generation 3 -> `tok_x_3`. */
export function tokenIdOf(familyId: FamilyId, generation: number): TokenId {
  return `tok_${familyId.slice(4)}_${generation}` as TokenId;
}

/** What is true of a token at an instant: time alone takes an Active or Suspended one to Expired (spec section 3.1). */
export function statusAt(token: Token, nowMs: number): TokenStatus {
  const canExpire = token.status === 'Active' || token.status === 'Suspended';
  return canExpire && nowMs >= token.expiresAtMs ? 'Expired' : token.status;
}

/** When the status that is true at an instant began. */
export function changedAtMs(token: Token, nowMs: number): number | null {
  return statusAt(token, nowMs) === token.status ? token.changedAtMs : token.expiresAtMs;
}
