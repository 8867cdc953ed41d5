import type {
  AddConnection,
  ToolConnection,
  ConnectionId,
  ConnectionRecord,
} from '../../contract/credential/tool-connection.ts';
import type { AuditEvent, EventKind } from '../../contract/history/audit-event.ts';
import { type CredentialRefusal, findCredential } from '../credential/find-credential.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { unreachable } from '../unreachable.ts';
import { type ParseUrl, readPlace } from './match-connection.ts';

type Changed<T> = Decision<Result<T, CredentialRefusal>>;

const mostConnections = 100;

/** Connects a tool for one address. The same tool is connected once for an address: nobody could tell which token it gets. */
export function addConnection(state: State, wanted: AddConnection, parse: ParseUrl): Changed<ConnectionId> {
  const found = findCredential(state, wanted.credential);
  if (!found.ok) return { events: [], value: found };
  const place = readPlace(wanted.url, parse);
  if (place === null)
    return refusing({ problem: 'bad_request', field: 'url', reason: { code: 'no_connection_url' } });
  const { tool, id, username, scheme, setting } = wanted;
  const { origin, segments } = place;
  const prefix = segments.length === 0 ? undefined : segments.join('/');
  const replaced = state.connections.get(wanted.replaces as ConnectionId);
  const all = [...state.connections.values()].filter((one) => one !== replaced);
  const same = all.find(
    (one) => one.id === id || (one.tool === tool && one.origin === origin && one.path_prefix === prefix),
  );
  if (same !== undefined) return refusing(conflict({ code: 'connection_exists', ...placeOf(same) }));
  if (all.length >= mostConnections)
    return refusing(conflict({ code: 'too_many_connections', limit: mostConnections }));
  const credentialId = found.value.id;
  const data = {
    id,
    tool,
    credential_id: credentialId,
    origin,
    ...(prefix === undefined ? {} : { path_prefix: prefix }),
    username,
    scheme,
    setting,
  };
  return {
    events: [
      ...(replaced === undefined ? [] : [removedEvent(replaced)]),
      { kind: 'connection.added', subject: credentialId, actor: { kind: 'owner' }, data },
    ],
    value: done(id),
  };
}

export function removeConnection(state: State, id: string): Changed<ConnectionRecord> {
  const connection = state.connections.get(id as ConnectionId);
  if (connection === undefined) return refusing(noSuchConnection(id));
  return { events: [removedEvent(connection)], value: done(connection) };
}

function removedEvent({ id, tool, credential_id, origin, path_prefix }: ConnectionRecord) {
  const data = { id, tool, credential_id, origin, ...(path_prefix === undefined ? {} : { path_prefix }) };
  return { kind: 'connection.removed', subject: credential_id, actor: { kind: 'owner' }, data } as const;
}

/** The id comes from the request and may have any length. */
export function noSuchConnection(id: string): CredentialRefusal {
  return { problem: 'not_found', reason: { code: 'no_such_connection', id: id.slice(0, 40) } };
}

function refusing(refusal: CredentialRefusal): Changed<never> {
  return { events: [], value: refused(refusal) };
}

function conflict(reason: CredentialRefusal['reason']): CredentialRefusal {
  return { problem: 'conflict', reason };
}

/** A connection by what a person knows of it. */
function placeOf({ id, tool, origin, path_prefix: prefix }: ConnectionRecord) {
  return { id, tool, place: prefix === undefined ? origin : `${origin}/${prefix}` };
}

export function viewConnection(state: State, record: ConnectionRecord): ToolConnection {
  const { credential_id: id, ...connection } = record;
  return { ...connection, credential: state.credentials.get(id)?.name ?? '' };
}

/** Applies an event of a connection; see `applyEvent`. */
export function applyConnectionEvent(
  { connections }: State,
  event: AuditEvent<Extract<EventKind, `connection.${string}`>>,
): void {
  switch (event.kind) {
    case 'connection.added':
      connections.set(event.data.id, { ...event.data, created_at: event.at });
      return;
    case 'connection.removed':
      connections.delete(event.data.id);
      return;
    case 'connection.token_refused':
      return; // recorded for the history only
    default:
      unreachable(event);
  }
}
