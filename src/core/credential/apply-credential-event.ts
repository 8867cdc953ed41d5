import type { AuditEvent, EventKind } from '../../contract/history/audit-event.ts';
import type { CredentialId, TargetId } from '../../contract/credential/credential.ts';
import { defaultProvider } from '../../contract/credential/provider.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import { instantMs, instantMsOrNull } from '../iso-instant.ts';
import { forgetProxyOf } from '../proxy/apply-proxy-event.ts';
import type { State } from '../state.ts';
import { invariant, unreachable } from '../unreachable.ts';
import {
  type Credential,
  type PastToken,
  type PlannedCredential,
  type RetiringToken,
  type Target,
  withEnded,
} from './credential-state.ts';
import { deriveCredential } from './derive-credential.ts';

/** Its uses are apart: they change nothing of the credential. */
export type CredentialEventKind = Exclude<Extract<EventKind, `credential.${string}`>, 'credential.used'>;

/** Applies an event to the credential that it is about; see `applyEvent`. */
export function applyCredentialEvent(state: State, event: AuditEvent<CredentialEventKind>): void {
  const { credentials } = state;
  const atMs = instantMs(event.at);
  if (event.kind === 'credential.added') {
    const { data, sealed } = event;
    credentials.set(data.credential_id, {
      id: data.credential_id,
      name: data.name,
      provider: data.provider ?? defaultProvider,
      baseUrl: data.base_url,
      policy: data.policy,
      generation: 1,
      fingerprint: sealed.fingerprint,
      validityDays: data.validity_days,
      lifetime: { obtainedAtMs: instantMs(data.obtained_at), expiresAtMs: instantMs(data.expires_at) },
      expiryAssumed: data.expiry_assumed ?? null,
      heldSinceMs: null,
      upstreamId: data.upstream_id ?? null,
      retiring: [],
      standby: null,
      canRotate: data.can_rotate ?? null,
      pastTokens: [],
      pause: null,
      rotation: null,
      trouble: null,
      lastRotatedAtMs: null,
      targets: [],
    });
    return;
  }
  const before = credentialOf(state, event.data.credential_id);
  if (event.kind === 'credential.removed') {
    credentials.delete(before.id);
    forgetProxyOf(state, before.id);
    state.knownUsers.delete(before.id);
  } else {
    const derived = deriveCredential(state, before, atMs);
    credentials.set(before.id, { ...before, ...changesOf(before, derived.trouble, event, atMs) });
  }
}

type Change = AuditEvent<Exclude<CredentialEventKind, 'credential.added' | 'credential.removed'>>;

/** `trouble`: the trouble at that time, which the record may not contain. */
function changesOf(
  before: Credential,
  trouble: PlannedCredential['trouble'],
  event: Change,
  atMs: number,
): Partial<Credential> {
  switch (event.kind) {
    case 'credential.policy_changed':
      return { policy: event.data.policy };
    case 'credential.address_changed':
      // What was the matter at the other address says nothing about this one.
      return { baseUrl: event.data.base_url, canRotate: null, trouble: null };
    case 'credential.inputs_changed':
      return { provider: { ...before.provider, inputs: event.data.inputs } };
    case 'credential.paused': {
      return { pause: { untilMs: instantMsOrNull(event.data.until) } };
    }
    case 'credential.resumed':
      return { pause: null };
    case 'credential.rotation_begun':
      return {
        rotation: {
          idempotencyKey: event.sealed.idempotency_key,
          begunAtMs: atMs,
          cause: event.data.cause,
          mayHaveActed: false,
        },
      };
    case 'credential.rotation_failed': {
      const { kind, message, redirected_to: redirectedTo } = event.data;
      const { may_have_acted: mayHaveActed, next_try_at: nextTryAt } = event.data;
      const hasNoEndpoint = kind === 'no_endpoint';
      return {
        ...(hasNoEndpoint ? { canRotate: false } : {}),
        // Nothing was rotated and nothing will be: the intent is closed, so that the service can be asked again.
        rotation:
          before.rotation === null || hasNoEndpoint
            ? null
            : { ...before.rotation, mayHaveActed: before.rotation.mayHaveActed || mayHaveActed },
        trouble: {
          kind,
          message,
          sinceMs: before.trouble?.sinceMs ?? atMs,
          attempts: (before.trouble?.attempts ?? 0) + 1,
          lastTryMs: atMs,
          nextTryMs: instantMsOrNull(nextTryAt),
          ...(redirectedTo === undefined ? {} : { redirectedTo }),
        },
      };
    }
    case 'credential.rotated':
    case 'credential.value_replaced': {
      const { data, sealed } = event;
      invariant(data.generation === before.generation + 1, `${before.id} gets its next value`);
      return {
        generation: data.generation,
        fingerprint: sealed.fingerprint,
        upstreamId: data.upstream_id ?? heldBefore(before, sealed.fingerprint)?.upstreamId ?? null,
        // A person may have entered one of them again: it is in use.
        retiring: [
          ...before.retiring.filter(({ fingerprint }) => fingerprint !== sealed.fingerprint),
          ...retiringSince(before, event, atMs),
        ],
        validityDays: data.validity_days,
        lifetime: { obtainedAtMs: instantMs(data.obtained_at), expiresAtMs: instantMs(data.expires_at) },
        expiryAssumed: data.expiry_assumed ?? null,
        heldSinceMs: null,
        ...(event.kind === 'credential.rotated'
          ? afterRotation(before, trouble, atMs)
          : {
              pastTokens: withEnded({ ...before, trouble }, 'replaced', atMs),
              canRotate: canRotateAnother(before),
            }),
        rotation: null,
        trouble: null,
        lastRotatedAtMs: event.kind === 'credential.rotated' ? atMs : before.lastRotatedAtMs,
        ...(event.kind === 'credential.rotated' ? { canRotate: true } : {}),
        // The failure was about the previous token; the new one has to be delivered at once.
        targets: before.targets.map((target) => ({ ...target, failure: null })),
      };
    }
    case 'credential.renewed': {
      const { data } = event;
      return {
        validityDays: data.validity_days,
        lifetime: { obtainedAtMs: instantMs(data.obtained_at), expiresAtMs: instantMs(data.expires_at) },
        expiryAssumed: data.expiry_assumed ?? null,
        heldSinceMs: before.heldSinceMs ?? before.lifetime.obtainedAtMs,
        canRotate: data.can_rotate,
        rotation: null,
        trouble: null,
        lastRotatedAtMs: atMs,
      };
    }
    case 'credential.retired': {
      const { generation } = event.data;
      return {
        retiring: before.retiring.filter((one) => one.generation !== generation),
        pastTokens: withRetired(before, generation, atMs),
      };
    }
    case 'credential.retire_failed': {
      const { generation, message, next_try_at: nextTryAt } = event.data;
      return {
        retiring: before.retiring.map((one) => {
          if (one.generation !== generation) return one;
          const attempts = (one.failure?.attempts ?? 0) + 1;
          const failure = { message, attempts, lastTryMs: atMs, nextTryMs: instantMsOrNull(nextTryAt) };
          return { ...one, failure };
        }),
      };
    }
    case 'credential.standby_changed': {
      const { standby } = event.data;
      const { fingerprint } = event.sealed;
      return {
        standby:
          standby === null || fingerprint === null
            ? null
            : {
                fingerprint,
                lifetime: {
                  obtainedAtMs: instantMs(standby.obtained_at),
                  expiresAtMs: instantMs(standby.expires_at),
                },
              },
        // An open rotation was about the standby token: the current one was not touched.
        ...(before.standby === null ? {} : { rotation: null, trouble: null }),
      };
    }
    case 'credential.checked': {
      const { trouble: found, can_rotate: canRotate } = event.data;
      return {
        canRotate: canRotate ?? before.canRotate,
        trouble:
          found === null
            ? null
            : {
                kind: found.kind,
                message: found.message,
                sinceMs: before.trouble?.sinceMs ?? atMs,
                attempts: before.trouble?.attempts ?? 0,
                lastTryMs: atMs,
                nextTryMs: instantMsOrNull(found.next_try_at),
              },
      };
    }
    case 'credential.target_added': {
      const { target_id: id, target } = event.data;
      return {
        targets: [
          ...before.targets,
          { id, target, generation: 0, deliveredAtMs: null, note: null, failure: null },
        ],
      };
    }
    case 'credential.target_removed':
      return { targets: before.targets.filter(({ id }) => id !== event.data.target_id) };
    case 'credential.delivered': {
      const { target_id: id, generation, note = null } = event.data;
      return changeTarget(before, id, { generation, deliveredAtMs: atMs, note, failure: null });
    }
    case 'credential.delivery_failed': {
      const { message, next_try_at: nextTryAt, target_id: id } = event.data;
      const attempts = (before.targets.find((target) => target.id === id)?.failure?.attempts ?? 0) + 1;
      const nextTryMs = instantMsOrNull(nextTryAt);
      return changeTarget(before, id, { failure: { message, attempts, lastTryMs: atMs, nextTryMs } });
    }
    default:
      return unreachable(event);
  }
}

/** Whether a token that was entered can be rotated: one that could not be renewed any further says nothing about it. */
function canRotateAnother({ provider, canRotate }: Credential): boolean | null {
  return providerFacts(provider.id).traits.shape === 'renew' && canRotate === false ? null : canRotate;
}

/** What ends with a rotation: the current token, or the standby token, whose place the current one takes. */
function afterRotation(
  before: Credential,
  trouble: PlannedCredential['trouble'],
  atMs: number,
): Pick<Credential, 'pastTokens' | 'standby'> {
  const { standby, fingerprint, lifetime, pastTokens } = before;
  if (standby === null) return { pastTokens: withEnded({ ...before, trouble }, 'superseded', atMs), standby };
  const ended = { lifetime: standby.lifetime, heldSinceMs: null, trouble: null, pastTokens };
  return { pastTokens: withEnded(ended, 'superseded', atMs), standby: { fingerprint, lifetime } };
}

function heldBefore({ retiring }: Credential, fingerprint: string): RetiringToken | undefined {
  return retiring.find((one) => one.fingerprint === fingerprint);
}

/** The token that goes on working beside the new one, if it does. */
function retiringSince(
  { generation, fingerprint, lifetime }: Credential,
  { data }: AuditEvent<'credential.rotated' | 'credential.value_replaced'>,
  atMs: number,
): RetiringToken[] {
  if (data.retiring === undefined) return [];
  const { upstream_id: upstreamId, retire_by: retireBy } = data.retiring;
  const retireByMs = instantMs(retireBy);
  return [{ generation, upstreamId, fingerprint, lifetime, sinceMs: atMs, retireByMs, failure: null }];
}

/** The previous tokens when one of them stops working after the next one took its place. */
function withRetired({ pastTokens, generation: current }: Credential, generation: number, atMs: number) {
  const place = pastTokens.length - (current - generation);
  return pastTokens.map((past, index): PastToken => {
    if (index !== place || (past.end !== 'superseded' && past.end !== 'replaced')) return past;
    const endedAtMs = Math.max(past.endedAtMs, Math.min(atMs, past.expiresAtMs));
    return { ...past, endedAtMs, overlaps: true };
  });
}

function changeTarget({ targets }: Credential, id: TargetId, change: Partial<Target>): Partial<Credential> {
  return { targets: targets.map((target) => (target.id === id ? { ...target, ...change } : target)) };
}

function credentialOf(state: State, id: CredentialId): Credential {
  const credential = state.credentials.get(id);
  invariant(credential !== undefined, `credential ${id} is known`);
  return credential;
}
