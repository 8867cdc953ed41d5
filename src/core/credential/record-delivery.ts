import type { CredentialId, TargetId } from '../../contract/credential/credential.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import { seedOf } from './credential-state.ts';
import { planNextTry } from './attempt-rotation.ts';

export type DeliveryResult =
  | { readonly ok: true; readonly note: string | null }
  | { readonly ok: false; readonly message: string; readonly retry: boolean };

/**
 * Records the receipt of a delivery, or why it failed and when it is retried. Nothing is recorded for a removed target.
 *
 * If the token was replaced in the meantime, a success is recorded, and the target still needs the current token. A
 * failure is not recorded, because it must not delay the delivery of the current one.
 */
export function recordDelivery(
  state: State,
  delivery: {
    readonly credentialId: CredentialId;
    readonly targetId: TargetId;
    readonly generation: number;
    readonly result: DeliveryResult;
  },
  nowMs: number,
): Decision<null> {
  const { credentialId: id, targetId, generation, result } = delivery;
  const credential = state.credentials.get(id);
  const target = credential?.targets.find((one) => one.id === targetId);
  if (credential === undefined || target === undefined) return { events: [], value: null };
  if (!result.ok && generation < credential.generation) return { events: [], value: null };
  const actor = { kind: 'system' } as const;
  const of = { credential_id: id, target_id: targetId, generation };
  if (result.ok) {
    const data = { ...of, note: result.note };
    return { events: [{ kind: 'credential.delivered', subject: id, actor, data }], value: null };
  }
  const nextTryMs = result.retry
    ? planNextTry(
        {
          lifetime: credential.lifetime,
          attempt: (target.failure?.attempts ?? 0) + 1,
          nowMs,
          retryAfterMs: null,
          seed: `${seedOf(id, generation)} ${targetId}`,
        },
        target.failure?.nextTryMs ?? null,
      )
    : null;
  const data = {
    ...of,
    message: result.message,
    next_try_at: isoInstantOrNull(nextTryMs),
  };
  return { events: [{ kind: 'credential.delivery_failed', subject: id, actor, data }], value: null };
}
