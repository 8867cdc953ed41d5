import type { FastifyInstance, FastifyReply } from 'fastify';
import { originOf } from '../../contract/address.ts';
import { keepsToken } from '../../contract/credential/connected-tools.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import type {
  AskingProcess,
  ConnectionId,
  ConnectionRecord,
  ConnectionToken,
} from '../../contract/credential/tool-connection.ts';
import { readState } from '../../core/ledger.ts';
import type { CallAccess } from '../../core/credential/credential-agent.ts';
import { isPaused } from '../../core/credential/credential-state.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import {
  addConnection,
  noSuchConnection,
  removeConnection,
  viewConnection,
} from '../../core/connection/change-connection.ts';
import { type AskedPlace, matchConnection } from '../../core/connection/match-connection.ts';
import { usableUntilMs } from '../../core/connection/usable-until.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import type { Result } from '../../core/result.ts';
import { connectionText } from '../../text/credential/connection-text.ts';
import { addRoutes } from '../http/add-route.ts';
import { answerRefusal, refuseCredential, writtenRefusal } from '../http/refuse.ts';
import { digestOf } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';
import { inTime } from './in-time.ts';

/** The longest time that a tool waits, in milliseconds: Codex gives its program five seconds. */
const answerLimitMs = 4_000;
/** How often a refused token is looked into, in milliseconds. */
const reportPauseMs = 60_000;
/** How many tokens of a credential are recognised when a server refuses one. */
const mostKnown = 20;

/** A token that a tool got. */
interface HandedOut {
  readonly digest: string;
  readonly generation: number;
}

/** A tool, and the credential whose token it asks for. */
interface Asking {
  readonly id: CredentialId;
  readonly tool: string;
}

/** `/portal/connections*`: tools that ask for the current token of a credential. */
export function addConnectionRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, credentialAgent, clock, zone, uses, launchers, onUnansweredTool } = context;
  const handedOut = new Map<CredentialId, readonly HandedOut[]>();
  const reportedAtMs = new Map<string, number>();

  addRoutes(app, context, {
    listConnections: () =>
      readState(ledger, (state) => ({
        connections: [...state.connections.values()].map((one) => viewConnection(state, one)),
      })),
    addConnection: async ({ body, reply }) => {
      if (context.team !== null)
        return refuseCredential(reply, { problem: 'conflict', reason: { code: 'connection_of_team' } });
      const added = await ledger.transact((state) => addConnection(state, body, parseUrl));
      if (!added.ok) return refuseCredential(reply, added.refusal);
      return launched(added.value, reply);
    },
    repairConnection: async ({ params, reply }) => launched(params.id, reply),
    removeConnection: async ({ params, reply }) => {
      const before = ledger.state.connections.get(params.id as ConnectionId);
      const view = before === undefined ? null : viewConnection(ledger.state, before);
      const removed = await ledger.transact((state) => removeConnection(state, params.id));
      if (!removed.ok || view === null)
        return refuseCredential(reply, removed.ok ? removedMeanwhile : removed.refusal);
      await launchers.write();
      return view;
    },
    askConnection: async ({ body, reply }) => {
      void reply.header('cache-control', 'no-store');
      const connection = await find(body);
      return connection === null ? refused(reply, 'no_connection') : answer(connection, body.process, reply);
    },
    reportRefusedToken: async ({ body }) => {
      const connection = await find(body);
      const known = connection === null ? undefined : await recognise(connection, body.digest);
      if (connection === null || known === undefined) return { token: 'unknown' as const, message: null };
      return lookInto(connection, known);
    },
  });

  /** Writes its program, and shows it. */
  async function launched(id: string, reply: FastifyReply) {
    const record = ledger.state.connections.get(id as ConnectionId);
    if (record === undefined) return refuseCredential(reply, noSuchConnection(id));
    await launchers.write();
    return { ...viewConnection(ledger.state, record), launcher: launchers.pathOf(record) };
  }

  function find(asked: AskedPlace): Promise<ConnectionRecord | null> {
    return readState(ledger, (state) => matchConnection(state.connections.values(), asked, parseUrl));
  }

  async function answer(
    { credential_id: id, tool, username, scheme }: ConnectionRecord,
    process: AskingProcess | undefined,
    reply: FastifyReply,
  ): Promise<ConnectionToken | null> {
    const access = await accessTo(id);
    if (access === 'late') {
      const isReady = credentialAgent.vaultStatus().status === 'ok';
      return refuseLocked({ id, tool }, reply, isReady ? connectionText.late : undefined);
    }
    if (!access.ok) return refuseAnswer({ id, tool }, access.refusal, reply);
    const { token, generation } = access.value;
    const nowMs = clock();
    if (keepsToken(tool)) credentialAgent.noteTool(id, { tool, generation, process });
    uses.addHandout(id, { way: 'helper', program: tool, generation, at: isoInstant(nowMs) });
    remember(id, { digest: digestOf(token), generation });
    const { state } = ledger;
    const credential = state.credentials.get(id);
    if (credential === undefined) return refuseCredential(reply, removedMeanwhile);
    const untilMs = usableUntilMs(deriveCredential(state, credential, nowMs), nowMs, zone);
    return { username, value: token, scheme, usable_until: isoInstant(untilMs), generation };
  }

  /** Waits for a rotation that is being made and for a vault that is locked, but not longer than a tool does. */
  async function accessTo(id: CredentialId): Promise<Result<CallAccess, CredentialRefusal> | 'late'> {
    const name = ledger.state.credentials.get(id)?.name;
    if (name === undefined) return { ok: false, refusal: removedMeanwhile };
    const ask = async () => {
      const access = await credentialAgent.accessFor(name);
      // The call of the tool is not ours: no rotation waits for it here.
      if (access.ok) access.value.settle();
      return access;
    };
    // One that was begun while the token was read waits for nobody any more, and ends that token: this time it is waited for.
    const isRotating = () => (ledger.state.credentials.get(id)?.rotation ?? null) !== null;
    return inTime(
      ask().then((access) => (access.ok && isRotating() ? ask() : access)),
      answerLimitMs,
    );
  }

  function refuseLocked({ id, tool }: Asking, reply: FastifyReply, message?: string): null {
    const credential = ledger.state.credentials.get(id)?.name;
    if (credential !== undefined) onUnansweredTool({ tool, credential });
    return refused(reply, 'vault_locked', message);
  }

  function refuseAnswer({ id, tool }: Asking, refusal: CredentialRefusal, reply: FastifyReply): null {
    const { message, problem } = writtenRefusal(refusal);
    if (problem === 'vault_unavailable') return refuseLocked({ id, tool }, reply, message);
    if (problem !== 'token_unusable') return refuseCredential(reply, refusal);
    const credential = ledger.state.credentials.get(id);
    const isHeld = credential !== undefined && isPaused(credential, clock());
    return refused(reply, isHeld ? 'credential_paused' : 'token_refused', isHeld ? undefined : message);
  }

  function remember(id: CredentialId, given: HandedOut): void {
    const known = handedOut.get(id) ?? [];
    if (known.some(({ digest }) => digest === given.digest)) return;
    handedOut.set(id, [given, ...known].slice(0, mostKnown));
  }

  /** Which token of the credential it is; undefined: none that is known. */
  async function recognise({ credential_id: id }: ConnectionRecord, digest: string) {
    const known = handedOut.get(id)?.find((one) => one.digest === digest);
    if (known !== undefined) return known;
    // Handed out before this program was started.
    const access = await accessTo(id);
    if (access === 'late' || !access.ok || digestOf(access.value.token) !== digest) return undefined;
    return { digest, generation: access.value.generation };
  }

  async function lookInto(connection: ConnectionRecord, { generation }: HandedOut) {
    const { id: connection_id, credential_id, tool } = connection;
    const credential = ledger.state.credentials.get(credential_id);
    if (credential === undefined) return { token: 'unknown' as const, message: null };
    const isCurrent = generation === credential.generation;
    const token = isCurrent ? ('current' as const) : ('previous' as const);
    const nowMs = clock();
    const key = `${credential_id} ${token}`;
    const lastMs = reportedAtMs.get(key);
    if (lastMs !== undefined && nowMs - lastMs < reportPauseMs && nowMs >= lastMs)
      return { token, message: null };
    reportedAtMs.set(key, nowMs);
    const { lastRotatedAtMs, name, baseUrl } = credential;
    const data = {
      connection_id,
      credential_id,
      tool,
      generation,
      is_current: isCurrent,
      since_rotation_ms: isCurrent || lastRotatedAtMs === null ? null : Math.max(0, nowMs - lastRotatedAtMs),
    };
    await ledger.transact(() => ({
      events: [{ kind: 'connection.token_refused', subject: credential_id, actor: { kind: 'system' }, data }],
      value: null,
    }));
    if (!isCurrent) return { token, message: null };
    const tested = await inTime(credentialAgent.testCredential(name), answerLimitMs);
    if (tested === 'late' || !tested.ok) return { token, message: null };
    const { outcome, message } = tested.value;
    const service = originOf(baseUrl ?? context.publicUrl());
    return { token, message: outcome === 'works' ? connectionText.accepted(service, tool) : message };
  }
}

function refused(
  reply: FastifyReply,
  code: 'no_connection' | 'vault_locked' | 'token_refused' | 'credential_paused',
  message?: string,
): null {
  return answerRefusal(reply, code, message === undefined ? {} : { message });
}

const parseUrl = (address: string) => URL.parse(address);

const removedMeanwhile = { problem: 'not_found', reason: { code: 'removed_meanwhile' } } as const;
