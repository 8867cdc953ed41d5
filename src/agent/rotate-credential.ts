import { randomUUID } from 'node:crypto';
import type { CredentialId } from '../contract/credential.ts';
import { type RotationTrouble, troubleKindOf } from '../contract/rotation-trouble.ts';
import {
  type AttemptCause,
  beginRotation,
  type BegunRotation,
  failRotation,
} from '../core/credential/attempt-rotation.ts';
import type { PlannedCredential } from '../core/credential/credential.ts';
import { completeRotation, type StoredToken } from '../core/credential/store-token.ts';
import { isObtainedAhead, tolerableClockErrorMs } from '../core/credential/next-action.ts';
import { isoInstant, outsideInstantMs } from '../core/iso-instant.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import { done, refused, type Result } from '../core/result.ts';
import { dayMs } from '../core/token/token.ts';
import { VaultUnavailable } from '../core/vault.ts';
import type { AgentParts, UnsavedToken } from './agent-parts.ts';
import { askClockSkew, askExpiry, jwtExpiryMs } from './remote/ask-expiry.ts';
import { askRotation, type FailedRotation, longestValidityDays } from './remote/ask-rotation.ts';
import { callLimitMs } from './remote/service-caller.ts';
import {
  currentEntry,
  fingerprintOf,
  forgetPending,
  type Pending,
  pendingEntry,
  readPending,
  readCurrentToken,
  writeAndReadBack,
} from './token-entries.ts';

const longestCallMs = 30_000;

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
 * Every failure is recorded with the next attempt, whatever a service replies. Rejects if even that failed
 * (`StoreUnavailable`), which loses nothing: the same attempt can be made again. Only one attempt at a time for a
 * credential; the caller ensures that.
 */
// see decisions/rotation-safety.md
export async function rotateCredential(
  parts: AgentParts,
  id: CredentialId,
  cause: AttemptCause,
): Promise<void> {
  const { ledger, zone, steps, text } = parts;
  if (cause === 'clock_set' && !(await isClockRight(parts, id))) return;
  const wanted = { idempotencyKey: randomUUID(), cause, zone };
  const begun = await ledger.transact((state, nowMs) => beginRotation(state, id, wanted, nowMs));
  if (begun === null) return;
  steps.tell(begun.credential, 'intent');
  await steps.tellEnd(begun.credential, async () => {
    const failure = await attempt(parts, begun);
    if (failure === null) return null;
    const { trouble, ...facts } = failure;
    const message = text.rotationTrouble(trouble);
    await ledger.transact((state, nowMs) => failRotation(state, id, { ...facts, message }, nowMs));
    // That closes the intent, so its reserved entry in the vault is no longer needed.
    if (failure.kind === 'no_endpoint') await forgetPending(parts.vault, begun.credential.name);
    return message;
  });
}

/** Whether the service's clock and ours agree. Checked while no rotation is open, so that the token in use is current. */
async function isClockRight(
  { ledger, vault, caller, clock }: AgentParts,
  id: CredentialId,
): Promise<boolean> {
  const credential = ledger.state.credentials.get(id);
  const baseUrl = credential?.baseUrl ?? null;
  if (credential === undefined || baseUrl === null || !isObtainedAhead(credential, clock())) return false;
  const token = await readCurrentToken(vault, credential).catch((error: unknown) => {
    if (error instanceof VaultUnavailable) return null; // tried again, as when the service does not answer
    throw error;
  });
  const skewMs = token === null ? null : await askClockSkew(caller, { baseUrl, token, clock });
  return skewMs !== null && Math.abs(skewMs) <= tolerableClockErrorMs(credential.lifetime);
}

async function attempt(parts: AgentParts, begun: BegunRotation): Promise<FailedRotation | null> {
  try {
    const obtained = await obtainToken(parts, begun);
    if (!obtained.ok) return obtained.refusal;
    await storeToken(parts, begun, obtained.value);
    return null;
  } catch (error) {
    if (error instanceof VaultUnavailable) return failedBy({ code: 'vault', problem: error.problem });
    if (error instanceof StoreUnavailable) throw error;
    // A bug of ours. The owner has to see that the token was not replaced, and the service may have acted.
    parts.onFailure(error);
    parts.begunKeys.delete(begun.idempotencyKey);
    return { ...failedBy({ code: 'internal' }), mayHaveActed: true };
  }
}

function failedBy(trouble: RotationTrouble): FailedRotation {
  return { kind: troubleKindOf(trouble), trouble, mayHaveActed: false, retryAfterMs: null };
}

/** The new token: not yet stored, already pending in the vault, or from the service. */
async function obtainToken(
  parts: AgentParts,
  begun: BegunRotation,
): Promise<Result<UnsavedToken, FailedRotation>> {
  const { vault, unsaved } = parts;
  const { credential, idempotencyKey } = begun;
  const held = unsaved.get(credential.id);
  if (held?.idempotencyKey === idempotencyKey) return done(held);

  const pending = await readPending(vault, credential.name);
  if (pending?.idempotency_key === idempotencyKey && pending.value !== null) {
    return done({
      idempotencyKey,
      rotated: { token: pending.value, validityDays: pending.validity_days ?? 1 },
      askedAtMs: outsideInstantMs(pending.asked_at) ?? parts.clock(),
    });
  }
  const source = await vault.read(currentEntry(credential.name));
  if (source === null || fingerprintOf(source) !== credential.fingerprint) {
    const { name } = credential;
    return refused(failedBy({ code: 'value_missing', name, isAnother: source !== null }));
  }
  const room: Pending = {
    idempotency_key: idempotencyKey,
    value: null,
    validity_days: null,
    asked_at: isoInstant(parts.clock()),
  };
  parts.steps.tell(credential, 'vault_room');
  await writeAndReadBack(vault, pendingEntry(credential.name), JSON.stringify(room));
  return askService(parts, begun, { source, hadRoom: pending?.idempotency_key === idempotencyKey });
}

async function askService(
  parts: AgentParts,
  { credential, idempotencyKey }: BegunRotation,
  { source, hadRoom }: { readonly source: string; readonly hadRoom: boolean },
): Promise<Result<UnsavedToken, FailedRotation>> {
  const { caller, clock, unsaved, begunKeys } = parts;
  const nowMs = clock();
  const begunAtMs = Math.min(credential.rotation?.begunAtMs ?? nowMs, nowMs);
  // The entry is reserved right before the call: a process that reserved it and ended may have made the call.
  const mayHaveActed =
    credential.rotation?.mayHaveActed === true || (hadRoom && !begunKeys.has(idempotencyKey));
  begunKeys.add(idempotencyKey);
  parts.steps.tell(credential, 'rotate');
  const baseUrl = credential.baseUrl ?? parts.embeddedUrl();
  const rotated = await askRotation(caller, {
    baseUrl,
    token: source,
    idempotencyKey,
    timeLimitMs: callLimitMs(credential.lifetime.expiresAtMs - nowMs, longestCallMs),
    nowMs,
  });
  if (rotated.ok) {
    // This may be the reply to an earlier call that was lost: its token is as old as that call.
    const askedAtMs = mayHaveActed ? begunAtMs : nowMs;
    const obtained = { idempotencyKey, rotated: rotated.value, askedAtMs };
    unsaved.set(credential.id, obtained);
    return done(obtained);
  }
  // Stays set for all later failures: only what is recorded survives a restart.
  const refusal = { ...rotated.refusal, mayHaveActed: mayHaveActed || rotated.refusal.mayHaveActed };
  // If this is not recorded, the next attempt must not treat the outcome as known.
  if (refusal.mayHaveActed) begunKeys.delete(idempotencyKey);
  return refused({ ...refusal, ...whatItMeans(refusal, credential, { mayHaveActed, begunAtMs }) });
}

/** The meaning of a failure, considering what is known about the rotation and the service. */
function whatItMeans(
  { trouble, mayHaveActed }: FailedRotation,
  { baseUrl, canRotate }: Pick<PlannedCredential, 'baseUrl' | 'canRotate'>,
  earlier: { readonly mayHaveActed: boolean; readonly begunAtMs: number },
): Pick<FailedRotation, 'kind' | 'trouble'> {
  const means = (as: RotationTrouble) => ({ kind: troubleKindOf(as), trouble: as });
  if (trouble.code === 'invalid' && earlier.mayHaveActed) {
    const begunAt = isoInstant(earlier.begunAtMs);
    return means({ code: 'reply_lost', service: trouble.service, begunAt });
  }
  if (trouble.code !== 'no_endpoint') return means(trouble);
  // A service that is known to rotate, or that may have done so for this intent, has its endpoint.
  return means({ ...trouble, isRetried: mayHaveActed || canRotate === true || baseUrl === null });
}

/** Steps 4 to 7. May be repeated from any of them. */
async function storeToken(
  parts: AgentParts,
  { credential, idempotencyKey }: BegunRotation,
  obtained: UnsavedToken,
): Promise<void> {
  const { ledger, vault, unsaved, steps } = parts;
  const { name, id, baseUrl } = credential;
  const { token, validityDays } = obtained.rotated;
  const pending: Pending = {
    idempotency_key: idempotencyKey,
    value: token,
    validity_days: validityDays,
    asked_at: isoInstant(obtained.askedAtMs),
  };
  steps.tell(credential, 'vault');
  await writeAndReadBack(vault, pendingEntry(name), JSON.stringify(pending));
  await writeAndReadBack(vault, currentEntry(name), token);
  // Not before the token is stored: its first use ends the service's readiness to answer the same key again.
  steps.tell(credential, 'verify');
  const held = await learnLifetime(parts, baseUrl ?? parts.embeddedUrl(), obtained);
  steps.tell(credential, 'record');
  await ledger.transact((state) => completeRotation(state, id, { idempotencyKey, held }));
  unsaved.delete(id);
  await forgetPending(vault, name);
}

/**
 * The properties of a token that a rotation has just returned.
 *
 * First from the service (`GET /v1/auth/token`, which also shows that the token works), then from a JWT, then
 * from the validity in the reply, counted from the call. An expiry in the past by our clock means a wrong clock and is
 * ignored, because the token would be rotated again and again. An expiry beyond the longest validity is ignored too,
 * because the token would never be rotated.
 */
export async function learnLifetime(
  { caller, clock }: Pick<AgentParts, 'caller' | 'clock'>,
  baseUrl: string,
  { rotated, askedAtMs }: UnsavedToken,
): Promise<StoredToken> {
  const { token, validityDays } = rotated;
  const told = await askExpiry(caller, { baseUrl, token, clock });
  const fallbackMs = askedAtMs + validityDays * dayMs;
  const saidMs = told.kind === 'known' ? told.expiresAtMs : (jwtExpiryMs(token) ?? fallbackMs);
  const leftMs = saidMs - clock();
  const isBelieved = leftMs > 0 && leftMs <= longestValidityDays * dayMs;
  return {
    fingerprint: fingerprintOf(token),
    validityDays,
    lifetime: { obtainedAtMs: askedAtMs, expiresAtMs: isBelieved ? saidMs : fallbackMs },
  };
}
