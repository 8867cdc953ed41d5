import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { AssumedExpiry, ChangePolicy, CredentialId } from '../../contract/credential/credential.ts';
import {
  defaultProvider,
  isDefaultProvider,
  type ProviderChoice,
} from '../../contract/credential/provider.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { TokenLifetime } from '../rotation/due-at.ts';
import { defaultPolicyOf } from '../change-settings.ts';
import type { State } from '../state.ts';
import { changedPolicy, type Credential } from './credential-state.ts';
import { type CredentialRefusal, findCredential, isNameTaken } from './find-credential.ts';

/** What is known of a token that is stored in the vault. */
export interface StoredToken {
  /** As it is recorded from now on. */
  readonly fingerprint: string;
  /** Every form in which it may be recorded already. Default: that one. */
  readonly alike?: readonly string[];
  readonly lifetime: TokenLifetime;
  /** Why its end is assumed. Default: it was said. */
  readonly expiryAssumed?: AssumedExpiry | null;
  readonly validityDays: number | null;
  /** The service's id of it. Default: unknown. */
  readonly upstreamId?: string | null;
}

export interface AddCommand {
  readonly id: CredentialId;
  readonly name: string;
  /** Default: the provider of services like this one. */
  readonly provider?: ProviderChoice | undefined;
  readonly baseUrl: string | null;
  /** What differs from the defaults in the settings. */
  readonly policy?: ChangePolicy | undefined;
  readonly stored: StoredToken;
  /** Whether its service has a rotate endpoint. Default: unknown. */
  readonly canRotate?: boolean | null;
}

/** Adds a credential for a token that the vault already has: the secret is stored before the record. */
export function addCredential(
  state: State,
  { id, name, provider = defaultProvider, baseUrl, policy: wanted, stored, canRotate = null }: AddCommand,
): Decision<Result<CredentialId, CredentialRefusal>> {
  if (isNameTaken(state, name)) return { events: [], value: refused(nameTaken(name)) };
  const holder = otherCredentialWith(state, stored, id);
  if (holder !== null) return { events: [], value: refused(tokenTaken(holder)) };
  const { generation: _first, ...data } = newValue(id, 1, stored);
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
          ...(isDefaultProvider(provider) ? {} : { provider }),
        },
        sealed: { fingerprint: stored.fingerprint },
      },
    ],
    value: done(id),
  };
}

export function nameTaken(name: string): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'name_taken', name } };
}

/** Whether a fingerprint that is recorded is that of this token. */
export function isOfToken(
  recorded: string | undefined,
  { fingerprint, alike = [] }: Pick<StoredToken, 'fingerprint' | 'alike'>,
): boolean {
  return recorded !== undefined && (recorded === fingerprint || alike.includes(recorded));
}

/** An old token that comes back keeps the form that its record has, which its event is compared with. */
function recordedAs({ retiring }: Pick<Credential, 'retiring'>, stored: StoredToken): string {
  return retiring.find((old) => isOfToken(old.fingerprint, stored))?.fingerprint ?? stored.fingerprint;
}

/** The name of another credential with the same token, or null. */
export function otherCredentialWith(
  state: State,
  stored: Pick<StoredToken, 'fingerprint' | 'alike'>,
  id: CredentialId,
): string | null {
  for (const one of state.credentials.values()) {
    const hasToken =
      isOfToken(one.fingerprint, stored) ||
      isOfToken(one.standby?.fingerprint, stored) ||
      one.retiring.some((old) => isOfToken(old.fingerprint, stored));
    if (hasToken && one.id !== id) return one.name;
  }
  return null;
}

/**
 * Two credentials with one token would break each other: the first rotation of one invalidates the token of the other.
 */
export function tokenTaken(name: string): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'token_taken', name } };
}

/**
 * Replaces the token by one that a person entered or that was issued again. That closes an open rotation and ends every
 * trouble.
 */
export function replaceValue(
  state: State,
  name: string,
  command: {
    readonly stored: StoredToken;
    readonly cause: 'pasted' | 'reissued' | 'signed_in';
    /** When the old token is revoked at the latest, where that is wanted and its value was kept. */
    readonly retireByMs?: number | null;
  },
): Decision<Result<CredentialId, CredentialRefusal>> {
  const found = findCredential(state, name);
  if (!found.ok) return { events: [], value: found };
  const { id, generation, fingerprint, upstreamId } = found.value;
  const holder = otherCredentialWith(state, command.stored, id);
  if (holder !== null) return { events: [], value: refused(tokenTaken(holder)) };
  const retireBy = isoInstantOrNull(command.retireByMs ?? null);
  const event: EventDraft<'credential.value_replaced'> = {
    kind: 'credential.value_replaced',
    subject: id,
    actor: { kind: 'owner' },
    data: {
      ...newValue(id, generation + 1, command.stored),
      cause: command.cause,
      // The same token again is still in use.
      ...(retireBy === null || isOfToken(fingerprint, command.stored)
        ? {}
        : { retiring: { upstream_id: upstreamId, retire_by: retireBy } }),
    },
    sealed: { fingerprint: recordedAs(found.value, command.stored) },
  };
  return { events: [event], value: done(id) };
}

/** The record is deleted last: after a crash before it, the credential has no token and can be removed again. */
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

/**
 * Records the token beside the current one, or that there is none any more, which also closes a rotation of it.
 *
 * `expected`: its fingerprint before; something else has changed it otherwise, and that takes precedence.
 */
export function changeStandby(
  state: State,
  id: CredentialId,
  change: {
    readonly expected: string | null;
    readonly stored: StoredToken | null;
    readonly actor: 'owner' | 'system';
    readonly message: string | null;
  },
): Decision<boolean> {
  const credential = state.credentials.get(id);
  if (credential === undefined || (credential.standby?.fingerprint ?? null) !== change.expected) {
    return { events: [], value: false };
  }
  const { stored, actor, message } = change;
  const event: EventDraft<'credential.standby_changed'> = {
    kind: 'credential.standby_changed',
    subject: id,
    actor: { kind: actor },
    data: {
      credential_id: id,
      generation: credential.generation,
      standby: stored === null ? null : instantsOf(stored.lifetime),
      message,
    },
    sealed: { fingerprint: stored?.fingerprint ?? null },
  };
  return { events: [event], value: true };
}

/** Completes a rotation: the new token is in the vault, was read back, and is the current one. */
export function completeRotation(
  state: State,
  id: CredentialId,
  finished: {
    readonly idempotencyKey: string;
    readonly stored: StoredToken;
    /** When the old token is deleted at the latest, where it goes on working. Default: it stopped working. */
    readonly retireByMs?: number | null;
  },
): Decision<boolean> {
  const credential = state.credentials.get(id);
  // A person replaced the token or removed the credential in the meantime: that takes precedence.
  if (credential?.rotation?.idempotencyKey !== finished.idempotencyKey) return { events: [], value: false };
  return { events: [rotatedEvent(credential, finished.stored, finished.retireByMs ?? null)], value: true };
}

/**
 * Completes a renewal: the same token expires later.
 *
 * After the last one its lifetime counts from when it was obtained, because the warnings before its end are a share of that.
 */
export function completeRenewal(
  state: State,
  id: CredentialId,
  finished: { readonly idempotencyKey: string; readonly stored: StoredToken; readonly isLast: boolean },
): Decision<boolean> {
  const credential = state.credentials.get(id);
  const { idempotencyKey, stored, isLast } = finished;
  if (credential?.rotation?.idempotencyKey !== idempotencyKey) return { events: [], value: false };
  const obtainedAtMs = isLast
    ? (credential.heldSinceMs ?? credential.lifetime.obtainedAtMs)
    : stored.lifetime.obtainedAtMs;
  const renewed = { ...stored, lifetime: { ...stored.lifetime, obtainedAtMs } };
  const event: EventDraft<'credential.renewed'> = {
    kind: 'credential.renewed',
    subject: id,
    actor: { kind: 'system' },
    data: { ...newValue(id, credential.generation, renewed), can_rotate: !isLast },
  };
  return { events: [event], value: true };
}

function rotatedEvent(
  { id, generation, upstreamId, retiring }: Credential,
  stored: StoredToken,
  retireByMs: number | null,
): EventDraft<'credential.rotated'> {
  const isSame = upstreamId !== null && upstreamId === stored.upstreamId;
  const old = { upstream_id: upstreamId, retire_by: isoInstantOrNull(retireByMs) ?? '' };
  return {
    kind: 'credential.rotated',
    subject: id,
    actor: { kind: 'system' },
    data: {
      ...newValue(id, generation + 1, stored),
      // With the same id it is the same token as far as its service knows.
      ...(retireByMs === null || isSame ? {} : { retiring: old }),
    },
    sealed: { fingerprint: recordedAs({ retiring }, stored) },
  };
}

function newValue(id: CredentialId, generation: number, stored: StoredToken) {
  const { lifetime, expiryAssumed = null, validityDays, upstreamId = null } = stored;
  return {
    credential_id: id,
    generation,
    ...instantsOf(lifetime),
    ...(expiryAssumed === null ? {} : { expiry_assumed: expiryAssumed }),
    validity_days: validityDays,
    ...(upstreamId === null ? {} : { upstream_id: upstreamId }),
  };
}

function instantsOf({ obtainedAtMs, expiresAtMs }: TokenLifetime) {
  return { obtained_at: isoInstant(obtainedAtMs), expires_at: isoInstant(expiresAtMs) };
}
