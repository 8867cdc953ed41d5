import type { ProviderTraits } from '../../contract/credential/provider-facts.ts';
import { originOf } from '../../contract/address.ts';
import { type RotationTrouble, troubleKindOf } from '../../contract/credential/rotation-trouble.ts';
import type { BegunRotation } from '../../core/credential/attempt-rotation.ts';
import type { Credential, PlannedCredential } from '../../core/credential/credential-state.ts';
import { isoInstant, outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { invariant } from '../../core/unreachable.ts';
import { isRefreshed } from '../../providers/catalogue.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import {
  type Attempt,
  failed,
  failedBy,
  type FailedRotation,
  type MintedToken,
  type Reconciled,
} from '../../providers/provider-port.ts';
import type { CredentialPorts, Reports } from '../ports.ts';
import { lockKeyOf, readExclusive } from '../run-exclusive.ts';
import {
  currentEntry,
  type Pending,
  pendingEntry,
  readPending,
  standbyEntry,
  writeAndReadBack,
} from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';
import type { AttemptMemory, UnsavedToken } from './attempt-memory.ts';

export interface ObtainPorts extends CredentialPorts, Pick<Reports, 'steps'> {
  readonly memory: AttemptMemory;
}

export const longestCallMs = 30_000;

/** The new token: not yet stored, already pending in the vault, or from the service. */
export async function obtainToken(
  ports: ObtainPorts,
  begun: BegunRotation,
): Promise<Result<UnsavedToken, FailedRotation>> {
  const { vault, fingerprints, clock, steps, memory } = ports;
  const { credential, idempotencyKey } = begun;
  const unsaved = memory.unsaved.get(credential.id);
  if (unsaved?.idempotencyKey === idempotencyKey) return done(unsaved);

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
      askedAtMs: outsideInstantMs(pending.asked_at) ?? clock(),
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
  const otherToken = standby !== null && isCurrent ? current : null;
  const room: Pending = {
    idempotency_key: idempotencyKey,
    value: null,
    validity_days: null,
    expires_at: null,
    expiry_assumed: null,
    upstream_id: null,
    note: pending?.idempotency_key === idempotencyKey ? pending.note : null,
    asked_at: isoInstant(clock()),
    room: ' '.repeat(source.length),
  };
  steps.tell(credential, 'vault_room');
  if (credential.baseUrl !== null) await fingerprints.prepare();
  await writeAndReadBack(vault, pendingEntry(name), JSON.stringify(room));
  return askService(ports, begun, {
    source,
    otherToken,
    room,
    hadRoom: pending?.idempotency_key === idempotencyKey,
  });
}

async function askService(
  ports: ObtainPorts,
  { credential, idempotencyKey }: BegunRotation,
  {
    source,
    otherToken,
    room,
    hadRoom,
  }: {
    /** The token that is replaced. */
    readonly source: string;
    readonly otherToken: string | null;
    readonly room: Pending;
    readonly hadRoom: boolean;
  },
): Promise<Result<UnsavedToken, FailedRotation>> {
  const { clock, services, vault, steps, memory } = ports;
  const { begunKeys } = memory;
  const provider = services.providerOf(credential);
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
    ...services.held(credential, source, timeLimitMs),
    idempotencyKey,
    label: labelOf(credential.name, idempotencyKey),
    ...wantedDaysOf(credential),
    upstreamId: standby === null ? credential.upstreamId : null,
    note: room.note,
    otherToken,
    remember: (note) =>
      writeAndReadBack(vault, pendingEntry(credential.name), JSON.stringify({ ...room, note })),
    tokenOf: (name) => tokenOfOther(ports, credential, name),
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
    memory.unsaved.set(credential.id, obtained);
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
  ports: ObtainPorts,
  of: Pick<Credential, 'id' | 'baseUrl'>,
  name: string,
): Promise<string | null> {
  const other = ports.services.findOther(of, name);
  if (other === null) return null;
  return readExclusive(lockKeyOf(other.id), () => readCurrentToken(ports, other));
}

/**
 * The lifetime to ask for: that of the policy, otherwise the validity that the service reported or the owner entered, otherwise as
 * long as before.
 */
export function wantedDaysOf({
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
export function whatItMeans(
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
