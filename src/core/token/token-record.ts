import type { FamilyId, TokenConfiguration, TokenId, TokenStatus } from '../../contract/token/token.ts';

/**
 * A token family: a token and everything rotated from it. The configuration is the family's, so a rotation cannot lose
 * any of it.
 */
export interface TokenFamily {
  readonly id: FamilyId;
  readonly configuration: TokenConfiguration;
  /** Its index in the order of creation, from 0. */
  readonly ordinal: number;
  /** Who still uses Superseded tokens of it, the latest use last; `maxReusesKept` callers at most. */
  readonly reuses: readonly Reuse[];
}

/** The uses of replaced tokens by one caller: an address and a program. */
export interface Reuse {
  /** The token of the last use. */
  readonly tokenId: TokenId;
  /** The recorded uses, see `ReuseWatch`. */
  readonly count: number;
  readonly firstAtMs: number;
  /** The last use. */
  readonly atMs: number;
  readonly address: string;
  readonly userAgent: string | null;
}

/** What is stored so that a rotation whose reply was lost can be answered again (`Idempotency-Key`). */
export interface Replay {
  /** SHA-256 of the idempotency key. */
  readonly keyDigest: string;
  /** The successor's token, encrypted with a key that is derived from the source token and the epoch's key together. */
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
  /** SHA-256 of the token, base64url. The token itself is not stored. */
  readonly digest: string;
  /** As recorded; use `statusAt` for the current status. */
  readonly status: TokenStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly firstUsedAtMs: number | null;
  /** Whether that use was a call of Rotavox itself, and no other program has used it since. */
  readonly isOnlyChecked: boolean;
  /** When its recorded status last changed; null in records written before this field existed. */
  readonly changedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly reason: string | null;
  readonly replay: Replay | null;
  /** Its index in the order of issue, from 0. */
  readonly ordinal: number;
  readonly familyOrdinal: number;
}

/** A short-lived token of an API token; it ends with its parent. */
export interface AccessToken {
  readonly digest: string;
  readonly parentId: TokenId;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export const dayMs = 86_400_000;

/** How long a lost reply can be requested again with the same idempotency key. */
export const replayKeptMs = 24 * 3_600_000;

/** `fam_x` with generation 3 -> `tok_x_3`. */
export function tokenIdOf(familyId: FamilyId, generation: number): TokenId {
  return `tok_${familyId.slice(4)}_${generation}` as TokenId;
}

/** The status of a token at an instant: an Active or Suspended one becomes Expired by time alone (spec section 3.1). */
export function statusAt(token: Token, nowMs: number): TokenStatus {
  const canExpire = token.status === 'Active' || token.status === 'Suspended';
  return canExpire && nowMs >= token.expiresAtMs ? 'Expired' : token.status;
}

/** When the status at an instant began. */
export function changedAtMs(token: Token, nowMs: number): number | null {
  return statusAt(token, nowMs) === token.status ? token.changedAtMs : token.expiresAtMs;
}
