import { randomUUID } from 'node:crypto';
import type { CredentialId } from '../../contract/credential.ts';
import type { TokenReply } from '../../contract/connection-finding.ts';
import type { ProviderTraits } from '../../contract/provider-facts.ts';
import { longestValidityDays } from '../../contract/provider.ts';
import { originOf } from '../../contract/address.ts';
import type { TroubleKind } from '../../contract/credential-view.ts';
import { type RotationTrouble, troubleKindOf } from '../../contract/rotation-trouble.ts';
import {
  type AttemptCause,
  beginRotation,
  type BegunRotation,
  type FailedAttempt,
  failRotation,
} from '../../core/credential/attempt-rotation.ts';
import type { Credential, PlannedCredential } from '../../core/credential/credential-state.ts';
import type { DerivedCredential } from '../../core/credential/derive-credential.ts';
import { defaultOverlapMs } from '../../core/credential/retirement.ts';
import {
  changeStandby,
  completeRenewal,
  completeRotation,
  type StoredToken,
} from '../../core/credential/store-token.ts';
import { isObtainedAhead, tolerableClockErrorMs } from '../../core/credential/next-action.ts';
import { isoInstant, isoInstantOrNull, outsideInstantMs } from '../../core/iso-instant.ts';
import { StoreUnavailable } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { grantedWait } from '../../core/rotation/retry-at.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { invariant } from '../../core/unreachable.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { isRefreshed } from '../../providers/catalogue.ts';
import {
  type AgentParts,
  type AskingParts,
  findOther,
  heldToken,
  type UnsavedToken,
} from '../agent-parts.ts';
import {
  type Attempt,
  failed,
  failedBy,
  type FailedRotation,
  type MintedToken,
  type Reconciled,
} from '../../providers/provider-port.ts';
import { jwtExpiryMs } from '../../providers/http/read-reply.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import { isStorable } from '../vault/storable.ts';
import { lockKeyOf } from '../delivery/deliver-token.ts';
import { readExclusive } from '../run-exclusive.ts';
import {
  currentEntry,
  forgetPending,
  type Pending,
  pendingEntry,
  readPending,
  standbyEntry,
  writeAndReadBack,
} from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

/** The service's id of a token, where it told it. */
export function idIn(reply: TokenReply): string | null {
  return reply.kind === 'known' || reply.kind === 'not_told' ? (reply.upstreamId ?? null) : null;
}

const longestCallMs = 30_000;
/** The time limit of a call that only asks about a token. */
export const inspectLimitMs = 10_000;

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
  parts: AgentParts,
  id: CredentialId,
  cause: AttemptCause,
): Promise<void> {
  const rotating = rotate(parts, id, cause);
  parts.attempts.set(id, rotating);
  try {
    await rotating;
  } finally {
    parts.attempts.delete(id);
  }
}

async function rotate(parts: AgentParts, id: CredentialId, cause: AttemptCause): Promise<void> {
  const { ledger, zone, steps, text } = parts;
  // Also when a person asks for it: the token may be in use elsewhere.
  if (parts.movedFrom() !== null) return;
  if (cause === 'clock_set' && !(await isClockRight(parts, id))) return;
  const wanted = { idempotencyKey: randomUUID(), cause, zone };
  const begun = await ledger.transact((state, nowMs) => beginRotation(state, id, wanted, nowMs));
  if (begun === null) return;
  steps.tell(begun.credential, 'intent');
  await steps.tellEnd(begun.credential, async () => {
    const failure = await parts.calls.whileHeld(begun.credential, () => attempt(parts, begun));
    if (failure === null) return null;
    const { trouble, ...facts } = failure;
    const { retryAfterMs } = failure;
    const now = { lifetime: begun.credential.lifetime, nowMs: parts.clock() };
    const wait = retryAfterMs === null ? undefined : grantedWait(now, retryAfterMs);
    const message = text.rotationTrouble(trouble, wait);
    if (await giveUpStandby(parts, begun.credential, failure, message)) return message;
    const isStopped = parts.stopping.aborted;
    const failed = { ...facts, ...redirectOf(trouble), message, isStopped };
    await ledger.transact((state, nowMs) => failRotation(state, id, failed, nowMs));
    if (isStopped) return message;
    // The reserved entry in the vault is no longer needed: that closes the intent, or the address is another one. Without the entry a
    // restart knows that the service has not acted, so that the address can be changed.
    const isElsewhere = failed.redirectedTo !== undefined && !failure.mayHaveActed;
    if (failure.kind === 'no_endpoint' || isElsewhere) {
      await forgetPending(parts.vault, begun.credential.name);
    }
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
  { ledger, vault }: AgentParts,
  { id, name, standby }: DerivedCredential,
  { kind }: FailedRotation,
  message: string,
): Promise<boolean> {
  if (standby === null || !endsStandby.has(kind)) return false;
  const expected = standby.fingerprint;
  const isGivenUp = await ledger.transact((state) =>
    changeStandby(state, id, { expected, held: null, actor: 'system', message }),
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
async function isClockRight(parts: AgentParts, id: CredentialId): Promise<boolean> {
  const { ledger, providers, clock } = parts;
  const credential = ledger.state.credentials.get(id);
  if (credential === undefined || !isObtainedAhead(credential, clock())) return false;
  const token = await readCurrentToken(parts, credential).catch((error: unknown) => {
    if (error instanceof VaultUnavailable) return null; // tried again, as when the service does not answer
    throw error;
  });
  if (token === null) return false;
  const held = heldToken(parts, credential, token, inspectLimitMs);
  const { skewMs } = await providers.of(credential.provider.id).inspect(held);
  return skewMs !== null && Math.abs(skewMs) <= tolerableClockErrorMs(credential.lifetime);
}

async function attempt(parts: AgentParts, begun: BegunRotation): Promise<FailedRotation | null> {
  try {
    const { shape } = parts.providers.of(begun.credential.provider.id).traits;
    if (shape === 'renew') return await renewToken(parts, begun);
    const obtained = await obtainToken(parts, begun);
    if (!obtained.ok) return obtained.refusal;
    return await storeToken(parts, begun, obtained.value);
  } catch (error) {
    if (error instanceof VaultUnavailable) return failedBy({ code: 'vault', problem: error.problem });
    if (error instanceof StoreUnavailable) throw error;
    // A bug of ours. The owner has to see that the token was not replaced, and the service may have acted.
    parts.onFailure(error);
    parts.begunKeys.delete(begun.idempotencyKey);
    return { ...failedBy({ code: 'internal' }), mayHaveActed: true };
  }
}

/** Gets a later end for the current token. Nothing in the vault changes, and nothing is delivered again. */
async function renewToken(
  parts: AgentParts,
  { credential, idempotencyKey }: BegunRotation,
): Promise<FailedRotation | null> {
  const { ledger, vault, providers, clock, steps } = parts;
  const { id, name, lifetime } = credential;
  steps.tell(credential, 'vault_room');
  const token = await readCurrentToken(parts, credential);
  if (token === null) {
    const isAnother = (await vault.read(currentEntry(name))) !== null;
    return failedBy({ code: 'value_missing', name, isAnother });
  }
  const askedAtMs = clock();
  steps.tell(credential, 'rotate');
  const provider = providers.of(credential.provider.id);
  invariant(provider.renew !== undefined, 'a token of shape renew is renewed');
  const renewed = await provider.renew({
    ...heldToken(parts, credential, token, callLimitMs(lifetime.expiresAtMs - askedAtMs, longestCallMs)),
    idempotencyKey,
    label: '',
    sinceMs: lifetime.obtainedAtMs,
    upstreamId: credential.upstreamId,
    ...wantedDaysOf(credential),
    note: null,
    besides: null,
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
  const held = await learnLifetime(parts, credential, { minted: renewed.value, askedAtMs });
  steps.tell(credential, 'record');
  const { isLast = false } = renewed.value;
  await ledger.transact((state) => completeRenewal(state, id, { idempotencyKey, held, isLast }));
  return null;
}

/** The new token: not yet stored, already pending in the vault, or from the service. */
async function obtainToken(
  parts: AgentParts,
  begun: BegunRotation,
): Promise<Result<UnsavedToken, FailedRotation>> {
  const { vault, unsaved, fingerprints } = parts;
  const { credential, idempotencyKey } = begun;
  const held = unsaved.get(credential.id);
  if (held?.idempotencyKey === idempotencyKey) return done(held);

  const pending = await readPending(vault, credential.name);
  if (pending?.idempotency_key === idempotencyKey && pending.value !== null) {
    return done({
      idempotencyKey,
      minted: {
        token: pending.value,
        validityDays: pending.validity_days,
        expiresAtMs: pending.expires_at === null ? null : outsideInstantMs(pending.expires_at),
        expiryAssumed: pending.expiry_assumed,
        ...(pending.upstream_id === null ? {} : { upstreamId: pending.upstream_id }),
      },
      askedAtMs: outsideInstantMs(pending.asked_at) ?? parts.clock(),
    });
  }
  const { name, standby } = credential;
  const current = await vault.read(currentEntry(name));
  const isCurrent =
    current !== null && (await fingerprints.compare(current, credential.fingerprint)) !== 'other';
  if (standby === null && !isCurrent) {
    return refused(failedBy({ code: 'value_missing', name, isAnother: current !== null }));
  }
  const source = standby === null ? current : await vault.read(standbyEntry(name));
  const wanted = (standby ?? credential).fingerprint;
  if (source === null || (await fingerprints.compare(source, wanted)) === 'other') {
    return refused(failedBy({ code: 'value_missing', name, isAnother: source !== null }));
  }
  const besides = standby !== null && isCurrent ? current : null;
  const room: Pending = {
    idempotency_key: idempotencyKey,
    value: null,
    validity_days: null,
    expires_at: null,
    expiry_assumed: null,
    upstream_id: null,
    note: pending?.idempotency_key === idempotencyKey ? pending.note : null,
    asked_at: isoInstant(parts.clock()),
    room: ' '.repeat(source.length),
  };
  parts.steps.tell(credential, 'vault_room');
  if (credential.baseUrl !== null) await fingerprints.prepare();
  await writeAndReadBack(vault, pendingEntry(name), JSON.stringify(room));
  return askService(parts, begun, {
    source,
    besides,
    room,
    hadRoom: pending?.idempotency_key === idempotencyKey,
  });
}

async function askService(
  parts: AgentParts,
  { credential, idempotencyKey }: BegunRotation,
  {
    source,
    besides,
    room,
    hadRoom,
  }: {
    /** The token that is replaced. */
    readonly source: string;
    readonly besides: string | null;
    readonly room: Pending;
    readonly hadRoom: boolean;
  },
): Promise<Result<UnsavedToken, FailedRotation>> {
  const { clock, providers, vault, unsaved, begunKeys, steps } = parts;
  const provider = providers.of(credential.provider.id);
  const nowMs = clock();
  const begunAtMs = Math.min(credential.rotation?.begunAtMs ?? nowMs, nowMs);
  // The entry is reserved right before the call: a process that reserved it and ended may have made the call.
  const mayHaveActed =
    credential.rotation?.mayHaveActed === true || (hadRoom && !begunKeys.has(idempotencyKey));
  begunKeys.add(idempotencyKey);
  const { standby } = credential;
  // A refresh has time, also after the access token has ended: nobody else can replace it meanwhile.
  const timeLimitMs = isRefreshed(credential.provider)
    ? longestCallMs
    : callLimitMs((standby ?? credential).lifetime.expiresAtMs - nowMs, longestCallMs);
  const attempt: Attempt = {
    ...heldToken(parts, credential, source, timeLimitMs),
    idempotencyKey,
    label: labelOf(credential.name, idempotencyKey),
    ...wantedDaysOf(credential),
    upstreamId: standby === null ? credential.upstreamId : null,
    note: room.note,
    besides,
    remember: (note) =>
      writeAndReadBack(vault, pendingEntry(credential.name), JSON.stringify({ ...room, note })),
    tokenOf: (name) => tokenOfOther(parts, credential, name),
  };
  let minted: Result<MintedToken, FailedRotation> | null = null;
  if (mayHaveActed && provider.traits.repeat === 'after_inspect') {
    invariant(provider.reconcile !== undefined, 'what may not be repeated can be asked about');
    steps.tell(credential, 'reconcile');
    minted = mintedBefore(await provider.reconcile(attempt), originOf(attempt.baseUrl), begunAtMs);
  }
  if (minted === null) {
    steps.tell(credential, 'rotate');
    invariant(provider.rotate !== undefined, 'a token that is not renewed gets a successor');
    minted = await provider.rotate(attempt);
  }
  if (minted.ok) {
    // This may be the reply to an earlier call that was lost: its token is as old as that call.
    const askedAtMs = mayHaveActed ? begunAtMs : nowMs;
    const obtained = { idempotencyKey, minted: minted.value, askedAtMs };
    unsaved.set(credential.id, obtained);
    begunKeys.delete(idempotencyKey);
    return done(obtained);
  }
  const { oldEnds } = provider.traits;
  // Stays set for all later failures: only what is recorded survives a restart.
  const refusal = { ...minted.refusal, mayHaveActed: mayHaveActed || minted.refusal.mayHaveActed };
  // If this is not recorded, the next attempt must not treat the outcome as known.
  if (refusal.mayHaveActed) begunKeys.delete(idempotencyKey);
  return refused({ ...refusal, ...whatItMeans(refusal, credential, { mayHaveActed, begunAtMs, oldEnds }) });
}

/** The result of an attempt whose reply was lost; null where nothing happened, so that it is made again. */
function mintedBefore(
  found: Reconciled,
  service: string,
  begunAtMs: number,
): Result<MintedToken, FailedRotation> | null {
  switch (found.kind) {
    case 'nothing_happened':
      return null;
    case 'recovered':
      return done(found.minted);
    case 'lost':
      return failed({ code: 'reply_lost', service, begunAt: isoInstant(begunAtMs) });
    case 'unclear':
      return refused(found.failure);
  }
}

/** The longest name that every known service takes (Twilio: 64 characters). */
const longestLabel = 64;

/** `rotavox-crm-1a2b3c4d`: whose token it is, and of which attempt. */
function labelOf(name: string, idempotencyKey: string): string {
  const end = `-${idempotencyKey.slice(0, 8)}`;
  return `${`rotavox-${name}`.slice(0, longestLabel - end.length)}${end}`;
}

/** The token of another credential, after what changes it at the moment. */
async function tokenOfOther(
  parts: AgentParts,
  of: Pick<Credential, 'id' | 'baseUrl'>,
  name: string,
): Promise<string | null> {
  const other = findOther(parts, of, name);
  if (other === null) return null;
  return readExclusive(lockKeyOf(other.id), () => readCurrentToken(parts, other));
}

/**
 * The lifetime to ask for: that of the policy, otherwise the validity that the service reported or the owner entered, otherwise as
 * long as before.
 */
function wantedDaysOf({
  policy,
  validityDays,
  lifetime,
}: PlannedCredential): Pick<Attempt, 'wantedDays' | 'mostDays'> {
  const { validity_days: mostDays } = policy;
  if (mostDays !== undefined) return { wantedDays: mostDays, mostDays };
  const { obtainedAtMs, expiresAtMs } = lifetime;
  return { wantedDays: validityDays ?? Math.max(1, Math.round((expiresAtMs - obtainedAtMs) / dayMs)) };
}

/** The meaning of a failure, considering what is known about the rotation and the service. */
function whatItMeans(
  { trouble, mayHaveActed }: FailedRotation,
  { baseUrl, canRotate }: Pick<PlannedCredential, 'baseUrl' | 'canRotate'>,
  earlier: {
    readonly mayHaveActed: boolean;
    readonly begunAtMs: number;
    readonly oldEnds: ProviderTraits['oldEnds'];
  },
): Pick<FailedRotation, 'kind' | 'trouble'> {
  const means = (as: RotationTrouble) => ({ kind: troubleKindOf(as), trouble: as });
  const mayBeReplaced = trouble.code === 'invalid' && earlier.oldEnds === 'at_once';
  if ((mayBeReplaced || trouble.code === 'sign_in_ended') && earlier.mayHaveActed) {
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
): Promise<FailedRotation | null> {
  const { ledger, vault, unsaved, steps, fingerprints } = parts;
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
    const service = originOf(credential.baseUrl ?? parts.embeddedUrl());
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
  const held = await learnLifetime(parts, credential, obtained);
  steps.tell(credential, 'record');
  const { oldEnds, overlapHours } = parts.providers.of(credential.provider.id).traits;
  const overlapMs = overlapHours === undefined ? defaultOverlapMs : overlapHours * 3_600_000;
  await ledger.transact((state, nowMs) => {
    const retireByMs = oldEnds === 'when_retired' ? nowMs + overlapMs : null;
    return completeRotation(state, id, { idempotencyKey, held, retireByMs });
  });
  unsaved.delete(id);
  await forgetPending(vault, name);
  return null;
}

/**
 * The properties of a token that a rotation has just returned.
 *
 * First from the service (which also shows that the token works), then from its reply or a JWT, then from the validity in
 * the reply, counted from the call. An expiry in the past by our clock means a wrong clock and is ignored, because the
 * token would be rotated again and again. An expiry beyond the longest validity is ignored too, because the token would
 * never be rotated.
 */
export async function learnLifetime(
  parts: AskingParts,
  credential: Pick<Credential, 'baseUrl' | 'provider'>,
  { minted, askedAtMs }: Pick<UnsavedToken, 'minted' | 'askedAtMs'>,
): Promise<StoredToken> {
  const { token, validityDays, expiresAtMs, expiryAssumed = null } = minted;
  const provider = parts.providers.of(credential.provider.id);
  const { reply } = await provider.inspect(heldToken(parts, credential, token, inspectLimitMs));
  const fallbackMs =
    validityDays === null ? (expiresAtMs ?? askedAtMs + dayMs) : askedAtMs + validityDays * dayMs;
  const saidMs =
    reply.kind === 'known' ? reply.expiresAtMs : (expiresAtMs ?? jwtExpiryMs(token) ?? fallbackMs);
  const leftMs = saidMs - parts.clock();
  const isBelieved = leftMs > 0 && leftMs <= longestValidityDays * dayMs;
  const endMs = isBelieved ? saidMs : fallbackMs;
  const isSaid =
    isBelieved && (reply.kind === 'known' ? reply.isEndNoted !== true : endMs === jwtExpiryMs(token));
  const unsaid = validityDays === null && expiresAtMs === null ? 'not_said' : expiryAssumed;
  const isEndless = reply.kind === 'not_told' && reply.reason.code === 'never_expires';
  return {
    ...(await parts.fingerprints.of(token, credential.baseUrl)),
    validityDays,
    lifetime: { obtainedAtMs: askedAtMs, expiresAtMs: endMs },
    expiryAssumed: isSaid || unsaid === null ? null : isEndless ? 'never' : unsaid,
    upstreamId: minted.upstreamId ?? idIn(reply),
  };
}
