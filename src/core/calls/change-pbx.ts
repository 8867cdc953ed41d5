import {
  type AddPbx,
  type ChangedRules,
  type ChangePbx,
  type DestinationRules,
  type Pbx,
  type PbxId,
  type PbxProblem,
  rulesOf,
  timeConditionsContext,
} from '../../contract/calls/pbx.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';

type Changed = Decision<Result<Pbx, PbxProblem>>;

/** Whether a connection to this address may be added, before its password is stored. */
export function checkNewPbx(state: State, wanted: AddPbx): Result<null, PbxProblem> {
  const taken = [...state.pbxs.values()].find(({ name }) => isSameName(name, wanted.name));
  if (taken !== undefined) return refused({ kind: 'name_taken', name: taken.name });
  return checkAddress(state, wanted, null);
}

/** Records a telephone system whose password is in the vault. */
export function addPbx(state: State, id: PbxId, wanted: AddPbx, nowMs: number): Changed {
  const checked = checkNewPbx(state, wanted);
  if (!checked.ok) return { events: [], value: checked };
  const { name, url, user, insecure_http, dialplan, destinations } = wanted;
  const pbx: Pbx = {
    id,
    name,
    url,
    user,
    insecure_http,
    destinations: withRules(rulesOf[dialplan], destinations),
    created_at: isoInstant(nowMs),
  };
  return { events: [{ kind: 'pbx.added', ...byOwner(id), data: { pbx } }], value: done(pbx) };
}

/** The telephone system as it would be after a change. */
export function changedPbx(state: State, name: string, wanted: ChangePbx): Result<Pbx, PbxProblem> {
  const found = findPbx(state, name);
  if (!found.ok) return found;
  const { password: _password, dialplan, destinations = {}, ...fields } = wanted;
  const before = dialplan === undefined ? found.value.destinations : rulesOf[dialplan];
  const pbx: Pbx = {
    ...found.value,
    ...definedIn(fields),
    destinations: withRules(before, destinations),
  };
  // The password is for the server that it was given for.
  const isElsewhere = partsOf(pbx.url).server !== partsOf(found.value.url).server;
  if (isElsewhere && wanted.password === undefined) return refused({ kind: 'password_needed' });
  const checked = checkAddress(state, pbx, pbx.id);
  return checked.ok ? done(pbx) : checked;
}

export function changePbx(state: State, name: string, wanted: ChangePbx): Changed {
  const changed = changedPbx(state, name, wanted);
  if (!changed.ok) return { events: [], value: changed };
  const pbx = changed.value;
  const has_new_password = wanted.password !== undefined;
  const before = state.pbxs.get(pbx.id);
  if (!has_new_password && JSON.stringify(pbx) === JSON.stringify(before)) {
    return { events: [], value: changed };
  }
  const data = { pbx, has_new_password };
  return { events: [{ kind: 'pbx.changed', ...byOwner(pbx.id), data }], value: changed };
}

export function removePbx(state: State, name: string): Changed {
  const found = findPbx(state, name);
  if (!found.ok) return { events: [], value: found };
  const { id } = found.value;
  const data = { pbx_id: id, name: found.value.name };
  return { events: [{ kind: 'pbx.removed', ...byOwner(id), data }], value: found };
}

/**
 * Earlier versions led time groups to the context of the time conditions by default, which is somebody else's hours. Nobody
 * can have meant that, so those calls go to their fallback now, and the checks say so.
 */
export function withoutFormerDefault(pbx: Pbx): Pbx {
  const { timegroup, ...destinations } = pbx.destinations;
  return timegroup?.context === timeConditionsContext ? { ...pbx, destinations } : pbx;
}

/** The name comes from the request and may have any length. */
export function findPbx(state: State, name: string): Result<Pbx, PbxProblem> {
  for (const pbx of state.pbxs.values()) if (isSameName(pbx.name, name)) return done(pbx);
  return refused({ kind: 'not_found', name: name.slice(0, 63) });
}

/** Http only to this machine, unless the owner allows it; and never two connections to one Asterisk. */
function checkAddress(
  state: State,
  { url, insecure_http }: Pick<Pbx, 'url' | 'insecure_http'>,
  own: PbxId | null,
): Result<null, PbxProblem> {
  const { isTls, hostname, server, path } = partsOf(url);
  if (!isTls && !isLoopback(hostname) && !insecure_http) return refused({ kind: 'insecure_http', url });
  for (const other of state.pbxs.values()) {
    const its = partsOf(other.url);
    if (other.id !== own && its.server === server && its.path === path) {
      return refused({ kind: 'address_taken', name: other.name });
    }
  }
  return done(null);
}

/** The parts of a `PbxUrl`. */
export interface PbxAddress {
  readonly isTls: boolean;
  readonly hostname: string;
  readonly port: string;
  /** Scheme, host and port: where a password is sent. */
  readonly server: string;
  /** The prefix of the HTTP server, such as `/asterisk`; empty without one. */
  readonly path: string;
}

export function partsOf(url: string): PbxAddress {
  const [, scheme = '', host = '', path = ''] = /^(https?):\/\/([^/]+)(.*)/is.exec(url) ?? [];
  const isTls = scheme.toLowerCase() === 'https';
  const [, hostname = '', given] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const port = given ?? (isTls ? '443' : '80');
  return { isTls, hostname, port, server: `${isTls ? 'https' : 'http'}://${hostname}:${port}`, path };
}

/** What never leaves this machine (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3); any other form counts as elsewhere. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function withRules(before: DestinationRules, wanted: ChangedRules): DestinationRules {
  const all = Object.entries({ ...before, ...definedIn(wanted) });
  return Object.fromEntries(all.filter(([, rule]) => rule !== null)) as DestinationRules;
}

function definedIn<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Keychains may not distinguish upper and lower case, and the password is stored under the name. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function byOwner(subject: string): { subject: string; actor: { kind: 'owner' } } {
  return { subject, actor: { kind: 'owner' } };
}
