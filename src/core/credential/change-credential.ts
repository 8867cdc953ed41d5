import { clientCertificateInput } from '../../contract/service/network.ts';
import type { EventDraft } from '../../contract/history/audit-event.ts';
import type {
  ChangeHelper,
  ChangePolicy,
  DeliveryTarget,
  DeliveryTargetOf,
  TargetId,
} from '../../contract/credential/credential.ts';
import { readSettingKey, settingFormatOf } from '../../contract/credential/setting-key.ts';
import { isAsked } from '../../contract/credential/provider-inputs.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { runKeyOf } from './next-action.ts';
import { changedPolicy, type Credential } from './credential-state.ts';
import { type CredentialRefusal, findCredential, missingHelper, validityRefusal } from './find-credential.ts';

type Changed = Decision<Result<Credential['id'], CredentialRefusal>>;
type Draft = EventDraft<
  | 'credential.policy_changed'
  | 'credential.address_changed'
  | 'credential.inputs_changed'
  | 'credential.paused'
  | 'credential.resumed'
  | 'credential.target_added'
  | 'credential.target_removed'
>;

const maxTargets = 50;

/** Starts no rotation until an instant, or until the owner resumes. */
export function pauseCredential(state: State, name: string, untilMs: number | null, nowMs: number): Changed {
  return change(state, name, ({ id, pause }) => {
    if (untilMs !== null && untilMs <= nowMs) {
      return refused({ problem: 'bad_request', field: 'until', reason: { code: 'not_in_future' } });
    }
    if (pause?.untilMs === untilMs) return done(null);
    const until = isoInstantOrNull(untilMs);
    return done({ kind: 'credential.paused', ...byOwner(id), data: { credential_id: id, until } });
  });
}

export function resumeCredential(state: State, name: string): Changed {
  return change(state, name, ({ id, pause }) =>
    done(pause === null ? null : { kind: 'credential.resumed', ...byOwner(id), data: { credential_id: id } }),
  );
}

export function changePolicy(state: State, name: string, wanted: ChangePolicy): Changed {
  return change(state, name, (credential) => {
    const { id, policy: before } = credential;
    const refusal = validityRefusal(credential, wanted, 'validity_days');
    if (refusal !== null) return refused(refusal);
    const policy = changedPolicy(before, wanted);
    if (JSON.stringify(policy) === JSON.stringify(before)) return done(null);
    return done({ kind: 'credential.policy_changed', ...byOwner(id), data: { credential_id: id, policy } });
  });
}

/** Records another address of the service. Its current token was tested there. */
export function changeAddress(state: State, name: string, baseUrl: string): Changed {
  return change(state, name, ({ id, baseUrl: before, rotation }) => {
    if (before === null)
      return refused({ problem: 'conflict', reason: { code: 'address_of_embedded', name } });
    // One that has not acted goes on at the new address, with the same key.
    if (rotation?.mayHaveActed === true)
      return refused({ problem: 'conflict', reason: { code: 'rotation_open', name } });
    if (before === baseUrl) return done(null);
    const data = { credential_id: id, base_url: baseUrl, before };
    return done({ kind: 'credential.address_changed', ...byOwner(id), data });
  });
}

/** Chooses another credential that helps this one, or none. */
export function changeHelper(
  state: State,
  name: string,
  { input, credential: helper }: ChangeHelper,
  embeddedUrl: string,
): Changed {
  return change(state, name, (credential) => {
    const { id, provider, baseUrl, rotation } = credential;
    const facts = providerFacts(provider.id);
    const isTold = facts.inputs.some(
      (one) => one.name === input && one.kind === 'credential' && isAsked(one, facts, provider.inputs),
    );
    if (!isTold) {
      return refused({ problem: 'bad_request', field: 'input', reason: { code: 'no_helper_input', name } });
    }
    // Of the rotation that is open the helper is asked what became of it.
    if (rotation !== null) return refused({ problem: 'conflict', reason: { code: 'rotation_open', name } });
    const { [input]: before = null, ...others } = provider.inputs;
    if (before === helper) return done(null);
    if (helper !== null && helper === name) {
      return refused({ problem: 'bad_request', field: 'credential', reason: { code: 'own_helper' } });
    }
    const inputs = helper === null ? others : { ...others, [input]: helper };
    const missing = missingHelper(state, { baseUrl, provider: { ...provider, inputs } }, embeddedUrl);
    if (missing !== null) return refused({ ...missing, field: 'credential' });
    return done({
      kind: 'credential.inputs_changed',
      ...byOwner(id),
      data: { credential_id: id, inputs },
    });
  });
}

/** Records which client certificate a credential has, by its fingerprint; null: none. */
export function changeClientCertificate(state: State, name: string, fingerprint: string | null): Changed {
  return change(state, name, ({ id, provider }) => {
    const { [clientCertificateInput]: before = null, ...others } = provider.inputs;
    if (before === fingerprint) return done(null);
    const inputs = fingerprint === null ? others : { ...others, [clientCertificateInput]: fingerprint };
    return done({ kind: 'credential.inputs_changed', ...byOwner(id), data: { credential_id: id, inputs } });
  });
}

/** Adds a target for every new token. A place that has one already is refused: one token would be written over the other. */
export function addTarget(state: State, name: string, id: TargetId, target: DeliveryTarget): Changed {
  return change(state, name, (credential) => {
    if (credential.targets.length >= maxTargets) {
      const reason = { code: 'too_many_targets', name, limit: maxTargets } as const;
      return refused({ problem: 'conflict', reason });
    }
    if (deliversTo(credential, target)) {
      return refused({ problem: 'conflict', reason: { code: 'target_exists', name } });
    }
    const holder = holderOfPlace(state, target);
    if (holder !== null) return refused(targetTaken(holder));
    return done({
      kind: 'credential.target_added',
      ...byOwner(credential.id),
      data: { credential_id: credential.id, target_id: id, target },
    });
  });
}

export function removeTarget(state: State, name: string, targetId: string): Changed {
  return change(state, name, (credential) => {
    const target = credential.targets.find(({ id }) => id === targetId);
    if (target === undefined) return refused(noSuchTarget(name));
    return done({
      kind: 'credential.target_removed',
      ...byOwner(credential.id),
      data: { credential_id: credential.id, target_id: target.id },
    });
  });
}

export function noSuchTarget(name: string): CredentialRefusal {
  return { problem: 'not_found', reason: { code: 'no_target', name } };
}

/** Whether a credential already has a target in that place. */
export function deliversTo({ targets }: Credential, target: DeliveryTarget): boolean {
  return targets.some((other) => placeOf(other.target) === placeOf(target));
}

/**
 * The credential that delivers to a place already; null: none. A file is one place, of a dotenv or settings file each variable or key is one,
 * and a command may run for any number of credentials. `placeOfPath`: the file behind all links.
 */
export function holderOfPlace(
  { credentials }: Pick<State, 'credentials'>,
  target: DeliveryTarget,
  placeOfPath: (path: string) => string = (path) => path,
): Credential | null {
  const clashes = (other: DeliveryTarget): boolean => {
    if (target.kind === 'hook' || other.kind === 'hook') return false;
    if (target.kind === 'keychain' || other.kind === 'keychain') return placeOf(other) === placeOf(target);
    if (placeOfPath(other.path) !== placeOfPath(target.path)) return false;
    return other.kind === 'file' || target.kind === 'file' || partOf(other) === partOf(target);
  };
  return [...credentials.values()].find(({ targets }) => targets.some((one) => clashes(one.target))) ?? null;
}

export function targetTaken({ name }: Pick<Credential, 'name'>): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'target_taken', name } };
}

/** The key that two targets of the same place share, whatever their other options are. */
function placeOf(target: DeliveryTarget): string {
  if (target.kind === 'hook') return runKeyOf(target);
  if (target.kind === 'keychain') return JSON.stringify(['keychain', target.service, target.account]);
  return JSON.stringify([target.path, target.kind === 'file' ? null : partOf(target)]);
}

/** What of its file a target sets: a key in whatever way it is written. */
function partOf(target: DeliveryTargetOf<'dotenv' | 'setting'>): string {
  if (target.kind === 'dotenv') return target.variable;
  const { path, key, format = settingFormatOf(path) } = target;
  const steps = format === null ? null : readSettingKey(key, format);
  const isName = format === 'ini' && steps?.[0] === '';
  return steps === null || isName ? key : JSON.stringify(steps);
}

function byOwner(id: Credential['id']): { subject: string; actor: { kind: 'owner' } } {
  return { subject: id, actor: { kind: 'owner' } };
}

function change(
  state: State,
  name: string,
  decide: (credential: Credential) => Result<Draft | null, CredentialRefusal>,
): Changed {
  const found = findCredential(state, name);
  if (!found.ok) return { events: [], value: found };
  const decided = decide(found.value);
  if (!decided.ok) return { events: [], value: decided };
  return { events: decided.value === null ? [] : [decided.value], value: done(found.value.id) };
}
