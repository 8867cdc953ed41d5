import type { CredentialId, TargetId } from '../../contract/credential.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import { seedOf } from './credential.ts';
import { planNextTry } from './attempt-rotation.ts';

export type DeliveryResult =
  | { readonly ok: true; readonly note: string | null }
  | { readonly ok: false; readonly message: string; readonly retry: boolean };

/**
 * The receipt of one delivery, or why there is none and when it is tried again. A target that is gone needs none.
 *
 * A value that was replaced meanwhile and did arrive is written down: the target has it now, and is owed the present one.
 * That it did not arrive is nobody's business any more, and must not hold the present one up.
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
          life: credential.life,
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
