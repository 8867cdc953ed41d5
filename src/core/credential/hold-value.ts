import type { EventDraft } from '../../contract/audit-event.ts';
import type { ChangePolicy, CredentialId } from '../../contract/credential.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { ValueLife } from '../rotation/due-at.ts';
import { defaultPolicyOf } from '../settings.ts';
import type { State } from '../state.ts';
import { changedPolicy, type Credential } from './credential.ts';
import { type CredentialRefusal, findCredential, isNameTaken } from './find-credential.ts';

/** What is known of a value that lies in the vault. */
export interface HeldValue {
  /** SHA-256 of it, base64url. */
  readonly fingerprint: string;
  readonly life: ValueLife;
  readonly validityDays: number | null;
}

export interface AddCommand {
  readonly id: CredentialId;
  readonly name: string;
  readonly baseUrl: string | null;
  /** What is to be other than the settings have it for every new credential. */
  readonly policy?: ChangePolicy | undefined;
  readonly held: HeldValue;
  /** Whether its service has a rotate endpoint. Default: not found out. */
  readonly canRotate?: boolean | null;
}

/** A credential for a value that the vault has already: the secret first, then the record. */
export function addCredential(
  state: State,
  { id, name, baseUrl, policy: wanted, held, canRotate = null }: AddCommand,
): Decision<Result<CredentialId, CredentialRefusal>> {
  if (isNameTaken(state, name)) return { events: [], value: refused(nameTaken(name)) };
  const holder = otherHolder(state, held, id);
  if (holder !== null) return { events: [], value: refused(heldAlready(holder)) };
  const { generation: _first, ...data } = newValue(id, 1, held);
  const policy = changedPolicy(defaultPolicyOf(state.settings), wanted);
  return {
    events: [
      {
        kind: 'credential.added',
        subject: id,
        actor: { kind: 'owner' },
        data: {
          ...data,
          name,
          base_url: baseUrl,
          policy,
          ...(canRotate === null ? {} : { can_rotate: canRotate }),
        },
        sealed: { fingerprint: held.fingerprint },
      },
    ],
    value: done(id),
  };
}

export function nameTaken(name: string): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'name_taken', name } };
}

/** The other credential that has this very value, by name. */
export function otherHolder(
  state: State,
  { fingerprint }: Pick<HeldValue, 'fingerprint'>,
  id: CredentialId,
): string | null {
  for (const one of state.credentials.values()) {
    if (one.fingerprint === fingerprint && one.id !== id) return one.name;
  }
  return null;
}

/** Two credentials for one token would end each other: the first rotation of one is the end of the other's value. */
export function heldAlready(name: string): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'token_taken', name } };
}

/** A value that a person brought, or that was issued anew: it ends the rotation that was open, and every trouble. */
export function replaceValue(
  state: State,
  name: string,
  command: { readonly held: HeldValue; readonly cause: 'pasted' | 'reissued' },
): Decision<Result<CredentialId, CredentialRefusal>> {
  const found = findCredential(state, name);
  if (!found.ok) return { events: [], value: found };
  const { id, generation } = found.value;
  const holder = otherHolder(state, command.held, id);
  if (holder !== null) return { events: [], value: refused(heldAlready(holder)) };
  const event: EventDraft<'credential.value_replaced'> = {
    kind: 'credential.value_replaced',
    subject: id,
    actor: { kind: 'owner' },
    data: { ...newValue(id, generation + 1, command.held), cause: command.cause },
    sealed: { fingerprint: command.held.fingerprint },
  };
  return { events: [event], value: done(id) };
}

/** The record goes last: a crash before it leaves a credential without a value, which can be removed again. */
export function removeCredential(state: State, id: CredentialId): Decision<Result<null, CredentialRefusal>> {
  const credential = state.credentials.get(id);
  if (credential === undefined) return { events: [], value: done(null) };
  return {
    events: [
      {
        kind: 'credential.removed',
        subject: id,
        actor: { kind: 'owner' },
        data: { credential_id: id, name: credential.name },
      },
    ],
    value: done(null),
  };
}

/** The end of a rotation: the new value is in the vault, read back, in the place of the one before. */
export function completeRotation(
  state: State,
  id: CredentialId,
  finished: { readonly idempotencyKey: string; readonly held: HeldValue },
): Decision<boolean> {
  const credential = state.credentials.get(id);
  // Somebody brought a value meanwhile, or took the credential away: theirs is the last word.
  if (credential?.rotation?.idempotencyKey !== finished.idempotencyKey) return { events: [], value: false };
  return { events: [rotatedEvent(credential, finished.held)], value: true };
}

function rotatedEvent({ id, generation }: Credential, held: HeldValue): EventDraft<'credential.rotated'> {
  return {
    kind: 'credential.rotated',
    subject: id,
    actor: { kind: 'system' },
    data: newValue(id, generation + 1, held),
    sealed: { fingerprint: held.fingerprint },
  };
}

function newValue(id: CredentialId, generation: number, { life, validityDays }: HeldValue) {
  return {
    credential_id: id,
    generation,
    obtained_at: isoInstant(life.obtainedAtMs),
    expires_at: isoInstant(life.expiresAtMs),
    validity_days: validityDays,
  };
}
