import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { isTokenRefused, type TroubleKind } from '../../contract/credential/credential-view.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { ZoneOffset } from '../rotation/due-at.ts';
import type { State } from '../state.ts';
import { isUpToPerson } from './attempt-rotation.ts';
import type { Credential, Trouble } from './credential-state.ts';
import { type CredentialRefusal, findCredential } from './find-credential.ts';
import { nextRotationMs } from './next-action.ts';

/** The reply of a credential's service about the current token, outside of a rotation. */
export interface Check {
  /** The token that was asked about: a reply that arrives after a rotation is not about the new one. */
  readonly fingerprint: string;
  /** `unknown`: the reply does not say. */
  readonly token: 'works' | 'unknown' | { readonly kind: TroubleKind; readonly message: string };
  /** Null: not determined. */
  readonly canRotate: { readonly is: boolean; readonly message: string } | null;
}

/**
 * Records the reply of a service where it differs from what is recorded.
 *
 * Only for other services: the state of a token of this one is known here (`derive-credential.ts`). Nothing is
 * recorded while a rotation is open, because its next attempt says more.
 */
export function recordCheck(
  state: State,
  id: CredentialId,
  { fingerprint, token, canRotate }: Check,
  zone: ZoneOffset,
  nowMs: number,
): Decision<null> {
  const none = { events: [], value: null };
  const credential = state.credentials.get(id);
  if (credential?.fingerprint !== fingerprint || credential.baseUrl === null) return none;
  if (credential.rotation !== null) return none;
  const before = credential.trouble;
  const after = canRotate?.is ?? credential.canRotate;
  const isNewly = after !== credential.canRotate;
  const found = typeof token === 'object' ? token : endpointTrouble();
  if (!isNewly && found?.kind === before?.kind) return none;
  return { events: [checked(credential, found, canRotate?.is ?? null)], value: null };

  /** The trouble that remains when the token itself works, or when the reply does not say. */
  function endpointTrouble(): Pick<Trouble, 'kind' | 'message'> | null {
    if (isNewly && canRotate?.is === false) return { kind: 'no_endpoint', message: canRotate.message };
    if (before === null) return null;
    if (before.kind === 'no_endpoint') return after === true ? null : before;
    return token === 'works' && (before.kind === 'refused' || isTokenRefused(before.kind)) ? null : before;
  }

  function checked(
    one: Credential,
    trouble: Pick<Trouble, 'kind' | 'message'> | null,
    can_rotate: boolean | null,
  ): EventDraft<'credential.checked'> {
    const planned = { ...one, canRotate: after, trouble: null };
    const nextMs =
      trouble === null || isUpToPerson(trouble.kind) ? null : nextRotationMs(planned, nowMs, zone);
    return {
      kind: 'credential.checked',
      subject: one.id,
      actor: { kind: 'system' },
      data: {
        credential_id: one.id,
        generation: one.generation,
        trouble:
          trouble === null
            ? null
            : { kind: trouble.kind, message: trouble.message, next_try_at: isoInstantOrNull(nextMs) },
        can_rotate,
      },
    };
  }
}

/** Records that the owner had the current token ended at its service: it does not work from now on, and nothing rotates it. */
export function recordEnd(
  state: State,
  id: CredentialId,
  { fingerprint, message }: { readonly fingerprint: string; readonly message: string },
): Decision<null> {
  const credential = state.credentials.get(id);
  if (credential?.fingerprint !== fingerprint || credential.baseUrl === null || credential.rotation !== null)
    return { events: [], value: null };
  const { generation } = credential;
  const trouble = { kind: 'invalid', message, next_try_at: null } as const;
  return {
    events: [
      {
        kind: 'credential.checked',
        subject: id,
        actor: { kind: 'owner' },
        data: { credential_id: id, generation, trouble, can_rotate: null },
      },
    ],
    value: null,
  };
}

/** Turns a credential into reminders only, where its service is known to have no rotate endpoint. */
export function remindOnly(state: State, name: string): Decision<Result<CredentialId, CredentialRefusal>> {
  const found = findCredential(state, name);
  if (!found.ok) return { events: [], value: found };
  const { id, generation, canRotate, trouble } = found.value;
  if (canRotate !== false) {
    return { events: [], value: refused({ problem: 'conflict', reason: { code: 'may_rotate', name } }) };
  }
  if (trouble?.kind !== 'no_endpoint') return { events: [], value: done(id) };
  return {
    events: [
      {
        kind: 'credential.checked',
        subject: id,
        actor: { kind: 'owner' },
        data: { credential_id: id, generation, trouble: null, can_rotate: null },
      },
    ],
    value: done(id),
  };
}
