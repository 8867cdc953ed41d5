import type { AddressInfo } from 'node:net';
import { type Agent, createAgent } from '../../src/agent/create-agent.ts';
import type { AuditEvent, EventKind } from '../../src/contract/history/audit-event.ts';
import { AddCredential, type CredentialId } from '../../src/contract/credential/credential.ts';
import type { MovedFrom } from '../../src/contract/service/moved-from.ts';
import type { DocumentedRate } from '../../src/contract/credential/provider-facts.ts';
import type { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import { credentialNamed } from '../../src/core/credential/find-credential.ts';
import { viewCredential } from '../../src/core/credential/view-credential.ts';
import type { Ledger } from '../../src/core/ledger.ts';
import type { ZoneOffset } from '../../src/core/rotation/due-at.ts';
import type { Vault } from '../../src/core/vault.ts';
import { setProviderFiles } from '../../src/providers/catalogue.ts';
import { knownFile } from '../../src/providers/file/known-file.ts';
import { agentText } from '../../src/text/credential/agent.ts';
import { credentialProblemText } from '../../src/text/credential/credentials.ts';
import { buildService, type Service } from '../../src/service/build-service.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openRecordingFiles } from '../../src/store/open-recording-files.ts';
import { BrowserFile } from '../../src/store/browser-file.ts';
import { ReplayKeys } from '../../src/store/replay-keys.ts';
import type { Store } from '../../src/store/store.ts';
import { callRecordsIn, makeTelephony } from '../fixtures/call-records.ts';
import { ManualTimer } from '../fakes/manual-timer.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { credentialIdNamed } from '../fixtures/credential-events.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { whenOver } from '../fixtures/when-over.ts';

/** An agent on a store of its own. */
export interface LoneAgent<V extends Vault = MemoryVault> {
  readonly time: ManualTimer;
  readonly vault: V;
  readonly store: Store;
  readonly agent: Agent;
  /** Of the service beside it; where there is none, nothing answers. */
  readonly baseUrl: string;
  readonly folder: string;
  /** Every event, once it is durable. */
  readonly events: AuditEvent[];
  /** Failures that could not be recorded. */
  readonly failures: unknown[];
  /** Adds a credential with this token; throws when that is refused. */
  keep(wanted: Record<string, unknown>): Promise<CredentialId>;
  view(name: string): CredentialView;
  /** The current token in the vault. */
  valueOf(name: string): Promise<string | null>;
  /** Settles at the next event of this kind. */
  next<K extends EventKind>(kind: K): Promise<AuditEvent<K>>;
}

/** A service that listens, with the agent beside it, on one store and one clock. */
export interface AgentSetup<V extends Vault = MemoryVault> extends LoneAgent<V> {
  readonly service: Service;
  /** A new token of this service. */
  issue(configuration?: Record<string, unknown>): Promise<{ value: string; id: string }>;
  /** The status with which the service answers a bearer. */
  tryValue(value: string): Promise<number>;
}

export interface AgentOptions<V extends Vault = MemoryVault> {
  readonly vault?: V;
  readonly folder?: string;
  readonly nowMs?: number;
  /** The clock of another setup, for a service beside it. */
  readonly time?: ManualTimer;
  readonly zone?: ZoneOffset;
  /** The store as the agent sees it. */
  readonly ledgerFor?: (store: Store) => Ledger;
  /** Called in addition to `failures`. */
  readonly onFailure?: () => void;
  readonly onNapEnd?: () => void;
  readonly providerFiles?: readonly ProviderFile[];
  /** Default: the data are used nowhere else. */
  readonly movedFrom?: () => MovedFrom | null;
  /** Default: no service has a limit, so that calls need no time. */
  readonly rateOf?: (origin: string) => DocumentedRate | null;
}

/** Nobody can listen at this port without being asked to. */
const nowhere = 'http://127.0.0.1:1';

/**
 * An agent whose credentials are of other services. Everything is real except the vault and the clock; the loop runs only after
 * `agent.start()`.
 */
export async function setUpLoneAgent<V extends Vault = MemoryVault>(
  options: AgentOptions<V> & { readonly embeddedUrl?: () => string } = {},
): Promise<LoneAgent<V>> {
  const time = options.time ?? new ManualTimer(options.nowMs ?? noon);
  const zone = options.zone ?? (() => 0);
  const vault = options.vault ?? (new MemoryVault() as Vault as V);
  const folder = options.folder ?? makeFolder();
  const { store } = await openStore({ folder, clock: time.clock });
  const events: AuditEvent[] = [];
  const failures: unknown[] = [];
  const waiting = new Set<{ kind: EventKind; resolve: (event: AuditEvent) => void }>();
  store.subscribe((event) => {
    events.push(event);
    for (const one of waiting) {
      if (one.kind !== event.kind) continue;
      waiting.delete(one);
      one.resolve(event);
    }
  });
  const { providerFiles = [], embeddedUrl = () => nowhere } = options;
  setProviderFiles(providerFiles.map((file) => [file.id, knownFile(file)]));
  const agent = createAgent({
    providerFiles,
    ledger: options.ledgerFor?.(store) ?? store,
    vault,
    text: agentText,
    ownPlaces: { dataDir: folder, others: [] },
    clock: time.clock,
    timer: time,
    zone,
    embeddedUrl,
    onFailure(error) {
      failures.push(error);
      options.onFailure?.();
    },
    onNapEnd: () => options.onNapEnd?.(),
    movedFrom: options.movedFrom ?? (() => null),
    rateOf: options.rateOf ?? (() => ({ calls: Infinity, perSeconds: 1 })),
  });
  whenOver(async () => {
    await agent.close();
    await store.close();
  });

  return {
    time,
    vault,
    store,
    agent,
    get baseUrl() {
      return embeddedUrl();
    },
    folder,
    events,
    failures,
    async keep(wanted) {
      const parsed = AddCredential.parse(wanted);
      const added = await agent.requests.add(credentialIdNamed(parsed.name), parsed);
      if (!added.ok) throw new Error(`It is not kept: ${JSON.stringify(added.refusal)}`);
      return added.value;
    },
    view(name) {
      const credential = credentialNamed(store.state, name);
      if (credential === undefined) throw new Error(`There is no credential ${name}`);
      return viewCredential(store.state, credential, {
        nowMs: time.nowMs,
        zone,
        embeddedUrl: embeddedUrl(),
        describe: credentialProblemText,
      });
    },
    valueOf: (name) => vault.read({ service: 'rotavox', account: name }),
    next<K extends EventKind>(kind: K) {
      return new Promise<AuditEvent<K>>((resolve) => {
        waiting.add({ kind, resolve: resolve as unknown as (event: AuditEvent) => void });
      });
    },
  };
}

/** A lone agent, and a service that listens beside it. */
export async function setUpAgent<V extends Vault = MemoryVault>(
  options: AgentOptions<V> = {},
): Promise<AgentSetup<V>> {
  let baseUrl = nowhere;
  const lone = await setUpLoneAgent({ ...options, embeddedUrl: () => baseUrl });
  const { time, store, agent, folder } = lone;
  const zone = options.zone ?? (() => 0);
  const service: Service = await buildService({
    telephony: makeTelephony(store, folder),
    recordingFiles: openRecordingFiles(folder, store.state),
    callRecords: callRecordsIn(folder),
    ledger: store,
    browsers: new BrowserFile(folder),
    replayKeys: new ReplayKeys(folder, time.clock),
    credentialAgent: agent.requests,
    zone,
    about: {
      version: '0.0.0',
      dataDir: folder,
      commandLine: null,
      startedAt: new Date(noon).toISOString(),
      repairs: [],
    },
    clock: time.clock,
  });
  // Node stamps answers with the system's clock; a service uses its own.
  service.app.addHook('onSend', async (_request, reply) => {
    void reply.header('date', new Date(time.nowMs).toUTCString());
  });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  whenOver(async () => {
    await agent.close();
    service.app.server.closeAllConnections();
    await service.app.close();
  });

  return Object.assign(lone, {
    service,
    async issue(configuration = {}) {
      const reply = await fetch(`${baseUrl}/portal/tokens`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.sessions.portalKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'app', validity_days: 7, ...configuration }),
      });
      const body = (await reply.json()) as { access_token: string; id: string };
      if (!reply.ok) throw new Error(`The token was not issued: ${JSON.stringify(body)}`);
      return { value: body.access_token, id: body.id };
    },
    async tryValue(value: string) {
      const reply = await fetch(`${baseUrl}/v1/auth/token`, {
        headers: { authorization: `Bearer ${value}` },
      });
      return reply.status;
    },
  });
}
