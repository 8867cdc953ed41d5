import type { CredentialId } from '../../contract/credential/credential.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import { planNextTry } from './attempt-rotation.ts';
import { type RetiringToken, seedOf } from './credential-state.ts';
import type { DerivedCredential } from './derive-credential.ts';
import { plausibleRetryMs } from './next-action.ts';

/** How long an old token goes on working where no target shows who has the new one, unless the provider says otherwise. */
export const defaultOverlapMs = 24 * 3_600_000;

/** After the last receipt: a program that has just read the old token may be about to use it. */
const delayMs = 60_000;

type Retirable = Pick<DerivedCredential, 'rotation' | 'targets' | 'lifetime' | 'unusable' | 'retiring'>;

/**
 * When an old token is deleted at its service; null while a rotation is open, or where a person has to do it.
 *
 * When every target has a receipt for a newer token, and by the end of the overlap at the latest. Without targets nothing
 * shows who has the new one, so the overlap counts. One that has expired is only forgotten.
 */
export function nextRetireMs(
  { rotation, targets, lifetime, unusable }: Omit<Retirable, 'retiring'>,
  old: RetiringToken,
): number | null {
  const { generation, sinceMs, retireByMs, failure } = old;
  const endMs = old.lifetime.expiresAtMs;
  if (rotation !== null) return null;
  // It may be the last one that works.
  if (unusable !== null) return endMs;
  if (failure !== null) {
    const nextMs = plausibleRetryMs(failure.nextTryMs, lifetime, failure.lastTryMs ?? sinceMs);
    return nextMs === null ? endMs : Math.min(nextMs, endMs);
  }
  const receipts = targets.map((target) =>
    target.generation > generation ? (target.deliveredAtMs ?? sinceMs) : Infinity,
  );
  const deliveredMs = receipts.length === 0 ? Infinity : Math.max(...receipts, sinceMs) + delayMs;
  return Math.min(deliveredMs, retireByMs, endMs);
}

/** An old token whose time has come, or null. */
export function findRetirable(credential: Retirable, nowMs: number): RetiringToken | null {
  return (
    credential.retiring.find((one) => {
      const atMs = nextRetireMs(credential, one);
      return atMs !== null && atMs <= nowMs;
    }) ?? null
  );
}

export type RetireResult =
  | { readonly ok: true; readonly how: 'deleted' | 'already_gone' | 'expired' }
  | {
      readonly ok: false;
      readonly message: string;
      /** Whether another attempt can help. */
      readonly retry: boolean;
      /** The delay that the service asked for (`Retry-After`). */
      readonly retryAfterMs: number | null;
    };

/** Records what became of an old token. Nothing is recorded when it is in use again, or was forgotten. */
export function recordRetirement(
  state: State,
  id: CredentialId,
  { generation, result }: { readonly generation: number; readonly result: RetireResult },
  nowMs: number,
): Decision<null> {
  const credential = state.credentials.get(id);
  const old = credential?.retiring.find((one) => one.generation === generation);
  if (credential === undefined || old === undefined) return { events: [], value: null };
  const of = { credential_id: id, generation, upstream_id: old.upstreamId };
  const actor = { kind: 'system' } as const;
  if (result.ok) {
    const data = { ...of, how: result.how };
    return { events: [{ kind: 'credential.retired', subject: id, actor, data }], value: null };
  }
  const nextTryMs = result.retry
    ? planNextTry(
        {
          lifetime: credential.lifetime,
          attempt: (old.failure?.attempts ?? 0) + 1,
          nowMs,
          retryAfterMs: result.retryAfterMs,
          seed: `${seedOf(id, generation)} retire`,
        },
        old.failure?.nextTryMs ?? null,
      )
    : null;
  const data = { ...of, message: result.message, next_try_at: isoInstantOrNull(nextTryMs) };
  return { events: [{ kind: 'credential.retire_failed', subject: id, actor, data }], value: null };
}
