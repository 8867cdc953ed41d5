import { randomUUID } from 'node:crypto';
import { originOf } from '../../contract/address.ts';
import type { TroubleKind } from '../../contract/credential/credential-view.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import type { RotationTrouble } from '../../contract/credential/rotation-trouble.ts';
import {
  type AttemptCause,
  beginRotation,
  type BegunRotation,
  type FailedAttempt,
  failRotation,
} from '../../core/credential/attempt-rotation.ts';
import type { DerivedCredential } from '../../core/credential/derive-credential.ts';
import { isObtainedAhead, tolerableClockErrorMs } from '../../core/credential/next-action.ts';
import { defaultOverlapMs } from '../../core/credential/retirement.ts';
import { changeStandby, completeRenewal, completeRotation } from '../../core/credential/store-token.ts';
import { isoInstant, isoInstantOrNull } from '../../core/iso-instant.ts';
import { StoreUnavailable } from '../../core/ledger.ts';
import { grantedWait } from '../../core/rotation/retry-at.ts';
import { invariant } from '../../core/unreachable.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import { failedBy, type FailedRotation } from '../../providers/provider-port.ts';
import type { Reports } from '../ports.ts';
import type { RunningCalls } from '../requests/running-calls.ts';
import { isStorable } from '../vault/storable.ts';
import {
  currentEntry,
  forgetPending,
  type Pending,
  pendingEntry,
  standbyEntry,
  writeAndReadBack,
} from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';
import type { UnsavedToken } from './attempt-memory.ts';
import { inspectLimitMs, learnLifetime } from './learn-lifetime.ts';
import { longestCallMs, type ObtainPorts, obtainToken, wantedDaysOf, whatItMeans } from './obtain-token.ts';

export interface RotationPorts extends ObtainPorts, Reports {
  /** Calls with a token that others make. */
  readonly calls: Pick<RunningCalls, 'withoutCalls'>;
  /** Aborted when the program stops. */
  readonly stopping: AbortSignal;
}

/**
 * One attempt to replace a credential's token, in steps that survive a crash.
 *
 * 1. the intent, with its key, is on disk;
 * 2. an entry in the vault is reserved, so that a locked vault is found before anything is sent;
 * 3. the service is asked, with the key;
 * 4. the new token is pending in the vault, and read back;
 * 5. it replaces the current token, and is read back;
 * 6. the record is written, which closes the intent;
 * 7. the pending entry is deleted.
 *
 * Wherever the program is killed, the next attempt begins at 1 and finds the intent, its key and the entries of the
 * vault: before 4 the same key returns the same reply again, from 4 on the token is in the vault.
 *
 * A renewal (`renew`) keeps the token: it is 1, 3 and 6, and may be made again from any of them.
 *
 * Every failure is recorded with the next attempt, whatever a service replies. Rejects if even that failed
 * (`StoreUnavailable`), which loses nothing: the same attempt can be made again. Only one attempt at a time for a
 * credential; the caller ensures that.
 */
// see decisions/rotation-safety.md
export async function rotateCredential(
  ports: RotationPorts,
  id: CredentialId,
  cause: AttemptCause,
): Promise<void> {
  const { underWay } = ports.memory;
  const rotating = rotate(ports, id, cause);
  underWay.set(id, rotating);
  try {
    await rotating;
  } finally {
    underWay.delete(id);
  }
}

async function rotate(ports: RotationPorts, id: CredentialId, cause: AttemptCause): Promise<void> {
  const { ledger, vault, clock, zone, movedFrom, stopping, calls, steps, text } = ports;
  // Also when a person asks for it: the token may be in use elsewhere.
  if (movedFrom() !== null) return;
  if (cause === 'clock_set' && !(await isClockRight(ports, id))) return;
  const wanted = { idempotencyKey: randomUUID(), cause, zone };
  const begun = await ledger.transact((state, nowMs) => beginRotation(state, id, wanted, nowMs));
  if (begun === null) return;
  steps.tell(begun.credential, 'intent');
  await steps.tellEnd(begun.credential, async () => {
    const failure = await calls.withoutCalls(begun.credential, () => attempt(ports, begun));
    if (failure === null) return null;
    const { trouble, ...facts } = failure;
    const { retryAfterMs } = failure;
    const now = { lifetime: begun.credential.lifetime, nowMs: clock() };
    const wait = retryAfterMs === null ? undefined : grantedWait(now, retryAfterMs);
    const message = text.rotationTrouble(trouble, wait);
    if (await giveUpStandby(ports, begun.credential, failure, message)) return message;
    const isStopped = stopping.aborted;
    const failed = { ...facts, ...redirectOf(trouble), message, isStopped };
    await ledger.transact((state, nowMs) => failRotation(state, id, failed, nowMs));
    if (isStopped) return message;
    // The reserved entry in the vault is no longer needed: that closes the intent, or the address is another one. Without the entry a
    // restart knows that the service has not acted, so that the address can be changed.
    const isElsewhere = failed.redirectedTo !== undefined && !failure.mayHaveActed;
    if (failure.kind === 'no_endpoint' || isElsewhere) await forgetPending(vault, begun.credential.name);
    return message;
  });
}

/** Where a service redirects to, if that is another origin and not only another page. */
function redirectOf(trouble: RotationTrouble): Pick<FailedAttempt, 'redirectedTo'> {
  if (trouble.code !== 'redirected' || trouble.to === null || trouble.to === trouble.service) return {};
  return { redirectedTo: trouble.to };
}

/**
 * Goes on with the current token alone after a failure that ends the standby token: a rotation was about that one, so the
 * programs that use the current token do not notice.
 */
async function giveUpStandby(
  { ledger, vault }: RotationPorts,
  { id, name, standby }: DerivedCredential,
  { kind }: FailedRotation,
  message: string,
): Promise<boolean> {
  if (standby === null || !endsStandby.has(kind)) return false;
  const expected = standby.fingerprint;
  const isGivenUp = await ledger.transact((state) =>
    changeStandby(state, id, { expected, stored: null, actor: 'system', message }),
  );
  await forgetPending(vault, name);
  return isGivenUp;
}

/** What a standby token does not recover from. */
const endsStandby: ReadonlySet<TroubleKind> = new Set([
  'invalid',
  'expired',
  'superseded',
  'blacklisted',
  'reply_lost',
  'value_missing',
  'no_endpoint',
]);

/** Whether the service's clock and ours agree. Checked while no rotation is open, so that the token in use is current. */
async function isClockRight(ports: RotationPorts, id: CredentialId): Promise<boolean> {
  const { ledger, services, clock } = ports;
  const credential = ledger.state.credentials.get(id);
  if (credential === undefined || !isObtainedAhead(credential, clock())) return false;
  const token = await readCurrentToken(ports, credential).catch((error: unknown) => {
    if (error instanceof VaultUnavailable) return null; // tried again, as when the service does not answer
    throw error;
  });
  if (token === null) return false;
  const held = services.held(credential, token, inspectLimitMs);
  const { skewMs } = await services.providerOf(credential).inspect(held);
  return skewMs !== null && Math.abs(skewMs) <= tolerableClockErrorMs(credential.lifetime);
}

async function attempt(ports: RotationPorts, begun: BegunRotation): Promise<FailedRotation | null> {
  try {
    const { shape } = ports.services.providerOf(begun.credential).traits;
    if (shape === 'renew') return await renewToken(ports, begun);
    const obtained = await obtainToken(ports, begun);
    if (!obtained.ok) return obtained.refusal;
    return await storeToken(ports, begun, obtained.value);
  } catch (error) {
    if (error instanceof VaultUnavailable) return failedBy({ code: 'vault', problem: error.problem });
    if (error instanceof StoreUnavailable) throw error;
    // A bug of ours. The owner has to see that the token was not replaced, and the service may have acted.
    ports.onFailure(error);
    ports.memory.begunKeys.delete(begun.idempotencyKey);
    return { ...failedBy({ code: 'internal' }), mayHaveActed: true };
  }
}

/** Gets a later end for the current token. Nothing in the vault changes, and nothing is delivered again. */
async function renewToken(
  ports: RotationPorts,
  { credential, idempotencyKey }: BegunRotation,
): Promise<FailedRotation | null> {
  const { ledger, vault, services, clock, steps } = ports;
  const { id, name, lifetime } = credential;
  steps.tell(credential, 'vault_room');
  const token = await readCurrentToken(ports, credential);
  if (token === null) {
    const isAnother = (await vault.read(currentEntry(name))) !== null;
    return failedBy({ code: 'value_missing', name, isAnother });
  }
  const askedAtMs = clock();
  steps.tell(credential, 'rotate');
  const provider = services.providerOf(credential);
  invariant(provider.renew !== undefined, 'a token of shape renew is renewed');
  const renewed = await provider.renew({
    ...services.held(credential, token, callLimitMs(lifetime.expiresAtMs - askedAtMs, longestCallMs)),
    idempotencyKey,
    label: '',
    sinceMs: lifetime.obtainedAtMs,
    upstreamId: credential.upstreamId,
    ...wantedDaysOf(credential),
    note: null,
    otherToken: null,
    remember: () => Promise.resolve(),
  });
  // Whatever happened, the token is the same: there is no reply that could be lost with a token in it.
  if (!renewed.ok) {
    const refusal = { ...renewed.refusal, mayHaveActed: false };
    return {
      ...refusal,
      ...whatItMeans(refusal, credential, {
        mayHaveActed: false,
        begunAtMs: askedAtMs,
        oldEnds: 'never',
      }),
    };
  }
  steps.tell(credential, 'verify');
  const stored = await learnLifetime(ports, credential, { minted: renewed.value, askedAtMs });
  steps.tell(credential, 'record');
  const { isLast = false } = renewed.value;
  await ledger.transact((state) => completeRenewal(state, id, { idempotencyKey, stored, isLast }));
  return null;
}

/** Steps 4 to 7. May be repeated from any of them. */
async function storeToken(
  ports: RotationPorts,
  { credential, idempotencyKey }: BegunRotation,
  obtained: UnsavedToken,
): Promise<FailedRotation | null> {
  const { ledger, vault, memory, steps, fingerprints, services } = ports;
  const { name, id, standby, fingerprint } = credential;
  const { token, validityDays, expiresAtMs } = obtained.minted;
  const pending: Pending = {
    idempotency_key: idempotencyKey,
    value: token,
    validity_days: validityDays,
    expires_at: isoInstantOrNull(expiresAtMs),
    expiry_assumed: obtained.minted.expiryAssumed ?? null,
    upstream_id: obtained.minted.upstreamId ?? null,
    note: null,
    asked_at: isoInstant(obtained.askedAtMs),
  };
  steps.tell(credential, 'vault');
  await writeAndReadBack(vault, pendingEntry(name), JSON.stringify(pending));
  if (!isStorable(token)) {
    const service = originOf(services.urlOf(credential));
    return failedBy({ code: 'not_storable', service, name });
  }
  if (standby !== null) {
    // The token that the standby entry had no longer works. If the current entry has another one, a restart has written the new one.
    const current = await vault.read(currentEntry(name));
    const isNew = current === null || current === token;
    if (!isNew && (await fingerprints.compare(current, fingerprint)) !== 'other') {
      await writeAndReadBack(vault, standbyEntry(name), current);
    }
  }
  await writeAndReadBack(vault, currentEntry(name), token);
  // Not before the token is stored: its first use ends the service's readiness to answer the same key again.
  steps.tell(credential, 'verify');
  const stored = await learnLifetime(ports, credential, obtained);
  steps.tell(credential, 'record');
  const { oldEnds, overlapHours } = services.providerOf(credential).traits;
  const overlapMs = overlapHours === undefined ? defaultOverlapMs : overlapHours * 3_600_000;
  await ledger.transact((state, nowMs) => {
    const retireByMs = oldEnds === 'when_retired' ? nowMs + overlapMs : null;
    return completeRotation(state, id, { idempotencyKey, stored, retireByMs });
  });
  memory.unsaved.delete(id);
  await forgetPending(vault, name);
  return null;
}
