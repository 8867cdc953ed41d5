import type { Actor, EventDraft } from '../../contract/history/audit-event.ts';
import type { TokenId } from '../../contract/token/token.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { admitBearer, type Bearer, type BearerRefusal, type PresentedBearer } from './admit-bearer.ts';
import { dayMs, type Replay, replayKeptMs, statusAt, type Token, tokenIdOf } from './token-record.ts';

/**
 * A new token, which only the service can generate. Events contain its digest; the token itself goes into the reply
 * only.
 */
export interface MintedToken {
  readonly value: string;
  /** SHA-256 of the token. */
  readonly digest: string;
}

/** The successor of a token; with an idempotency key also the sealed reply for a replay. */
export interface MintedSuccessor extends MintedToken {
  readonly replay?: { readonly keyDigest: string; readonly sealedReply: string; readonly keyEpoch: string };
}

export interface RotateCommand {
  readonly presented: PresentedBearer;
  /** SHA-256 of the `Idempotency-Key`, or null without one. */
  readonly keyDigest: string | null;
  /** The most days for which the successor shall be valid. Default: as its family says, and never more. */
  readonly mostDays?: number | undefined;
  readonly mint: () => MintedSuccessor;
  /** Whether a token was used and that is not recorded yet. */
  readonly isUseOwed?: (tokenId: TokenId) => boolean;
  readonly actorFor: (tokenId: TokenId) => Actor;
}

export type Rotation =
  | {
      readonly kind: 'rotated';
      readonly validityDays: number;
      readonly successorId: TokenId;
      /** The new token. */
      readonly value: string;
    }
  | {
      readonly kind: 'replayed';
      readonly validityDays: number;
      readonly source: Token;
      readonly replay: Replay;
    };

/**
 * Source token Active -> Superseded, and a new Active token in its family (spec section 3.1).
 *
 * The same source with the same idempotency key gets the same reply again, for 24 h or until the successor is first
 * used: then the successor has arrived, and its token is not returned any more.
 */
export function rotateToken(
  state: State,
  command: RotateCommand,
  nowMs: number,
): Decision<Result<Rotation, BearerRefusal>> {
  const replayed = findReplay(state, command, nowMs);
  if (replayed !== null) return { events: [], value: done(replayed) };

  const admission = admitBearer(state, command.presented, nowMs);
  if (!admission.ok) return { events: [], value: admission };
  const { token: source, family, access } = admission.value;
  // Rotation is for API tokens issued in the portal (spec section 1), not for access tokens.
  if (access !== null) return { events: [], value: refused({ problem: 'token_invalid' }) };

  const successorId = tokenIdOf(family.id, source.generation + 1);
  const { validity_days: longestDays } = family.configuration;
  const validityDays = Math.min(command.mostDays ?? longestDays, longestDays);
  const minted = command.mint();
  const event: EventDraft<'token.rotated'> = {
    kind: 'token.rotated',
    subject: family.id,
    actor: command.actorFor(source.id),
    data: {
      family_id: family.id,
      source_id: source.id,
      successor_id: successorId,
      expires_at: isoInstant(nowMs + validityDays * dayMs),
    },
    sealed:
      minted.replay === undefined
        ? { digest: minted.digest }
        : {
            digest: minted.digest,
            replay: {
              key_digest: minted.replay.keyDigest,
              reply: minted.replay.sealedReply,
              key_epoch: minted.replay.keyEpoch,
              until: isoInstant(nowMs + replayKeptMs),
            },
          },
  };
  return {
    events: [event],
    value: done({ kind: 'rotated', validityDays, successorId, value: minted.value }),
  };
}

function findReplay(
  state: State,
  { presented, keyDigest, isUseOwed }: RotateCommand,
  nowMs: number,
): Rotation | null {
  if (keyDigest === null) return null;
  const source = state.tokens.withDigest(presented.digest);
  if (source?.replay?.keyDigest !== keyDigest || nowMs >= source.replay.untilMs) return null;
  const family = state.tokens.family(source.familyId);
  const successor = state.tokens.ofFamily(source.familyId, source.generation + 1);
  if (family === undefined || successor === undefined) return null;
  if (statusAt(successor, nowMs) !== 'Active' || successor.firstUsedAtMs !== null) return null;
  if (isUseOwed?.(successor.id) === true) return null;
  if (!presented.mayUse(family.configuration)) return null;
  return {
    kind: 'replayed',
    validityDays: Math.round((successor.expiresAtMs - successor.createdAtMs) / dayMs),
    source,
    replay: source.replay,
  };
}

/** The longest lifetime of an access token, in seconds. */
const accessTokenSeconds = 3600;

export interface RefreshCommand {
  readonly mint: () => MintedToken;
  readonly actor: Actor;
}

export interface Refreshed {
  readonly accessToken: string;
  /** How long it is valid, in seconds: never longer than its API token. */
  readonly validSeconds: number;
}

/** Issues an access token for the API token that calls, which stays Active and unchanged (spec section 4.3). */
export function refreshToken(
  { token, family }: Bearer,
  command: RefreshCommand,
  nowMs: number,
): Decision<Refreshed> {
  const minted = command.mint();
  const expiresAtMs = Math.min(nowMs + accessTokenSeconds * 1000, token.expiresAtMs);
  return {
    events: [
      {
        kind: 'token.refreshed',
        subject: family.id,
        actor: command.actor,
        data: { token_id: token.id, expires_at: isoInstant(expiresAtMs) },
        sealed: { digest: minted.digest },
      },
    ],
    value: { accessToken: minted.value, validSeconds: Math.floor((expiresAtMs - nowMs) / 1000) },
  };
}
