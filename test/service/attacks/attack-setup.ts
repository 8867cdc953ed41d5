/**
 * The setup of the attacks: the running service on a store with real files, and an owner with all permissions.
 *
 * Attacks use `inject` where only the request counts, and `wire.ts` over a real socket where bytes count.
 */
import { once } from 'node:events';
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'vitest';
import type { AuditEvent } from '../../../src/contract/history/audit-event.ts';
import { IssuedToken, type IssueToken } from '../../../src/contract/token/token.ts';
import type { AgentOptions as AgentSettings } from '../../../src/agent/create-agent.ts';
import type { Ledger } from '../../../src/core/ledger.ts';
import type { Vault } from '../../../src/core/vault.ts';
import { buildService, type Service, type ServiceOptions } from '../../../src/service/build-service.ts';
import type { ThrottleLimits } from '../../../src/service/guard/failure-throttle.ts';
import { namingOwners } from '../../../src/service/guard/owner-of-call.ts';
import { EarlyServer } from '../../../src/service/early-server.ts';
import { type ArrivalOptions, Arrivals } from '../../../src/service/guard/arrival.ts';
import { sessionCookieName } from '../../../src/service/guard/portal-sessions.ts';
import { createNetworkServer } from '../../../src/service/guard/network-server.ts';
import { type NetworkAccess, OpenedNetworkWay } from '../../../src/service/guard/network-way.ts';
import { baseUrlOf } from '../../../src/service/service-context.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { openRecordingFiles } from '../../../src/store/open-recording-files.ts';
import { BrowserFile } from '../../../src/store/browser-file.ts';
import { ReplayKeys } from '../../../src/store/replay-keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { callRecordsIn, makeTelephony } from '../../fixtures/call-records.ts';
import { dateAnswersBy } from '../../fixtures/date-answers-by.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { isOverTls, testCertificate } from '../../fixtures/make-authority.ts';
import { type Answer, type Call, sendCall } from '../../fixtures/send-call.ts';
import { whenOver } from '../../fixtures/when-over.ts';
import { pageCodeFragment, pageKeyHeader } from '../../../src/contract/address.ts';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { refusalShapes, type RouteFamily } from '../../../src/contract/shapes.ts';
import { openWire, requestText, type Wire } from './wire.ts';

export interface AttackSetup {
  readonly service: Service;
  readonly store: Store;
  readonly folder: string;
  /** Where attacks come. */
  readonly port: number;
  /** `127.0.0.1:PORT`, the Host of a valid call. */
  readonly host: string;
  /** `http://127.0.0.1:PORT`, or with https. */
  readonly origin: string;
  /** Has the connections to that port. */
  readonly server: Server;
  readonly cookieName: string;
  /** A client that uses connections again. */
  agent(options: AgentOptions): HttpAgent;
  /** Every event that became durable since the setup was made. */
  readonly events: readonly AuditEvent[];
  call(call: Call): Promise<Answer>;
  /** The port on loopback, for programs of this machine. */
  readonly ownPort: number;
  /** A call as the owner of this machine, which must succeed. */
  owner(method: string, path: string, body?: unknown): Promise<Answer>;
  issue(more?: Partial<IssueToken>): Promise<IssuedToken>;
}

export interface SetupOptions extends Partial<Omit<ServiceOptions, 'ledger'>> {
  /** Puts something between the service and the store. */
  readonly wrapLedger?: (store: Store) => Ledger;
  /** Default: any that is free. */
  readonly port?: number;
  /** An address for other machines, with names beside those of loopback. Default: none, and in the suite `tls` over TLS. */
  readonly network?: NetworkAccess & { readonly names?: readonly string[] };
  readonly readForwarded?: ArrivalOptions['readForwarded'];
  /** Where the agent stores tokens. Default: a new vault in memory. */
  readonly vault?: Vault;
  /**
   * Calls one after the other use a connection again: connecting costs more than most answers, above all over TLS. Not where
   * connections are counted. Default: each has its own.
   */
  readonly keepsConnection?: boolean;
  /** What it says, and who hears of its failures. */
  readonly agent?: Partial<Pick<AgentSettings, 'text' | 'onFailure'>>;
}

/** A service that listens on its own port; it is removed with its folder when the test is over. */
export async function makeSetup(options: SetupOptions = {}): Promise<AttackSetup> {
  const {
    wrapLedger = (store: Store) => store,
    vault,
    agent: agentOptions = {},
    port: wantedPort = 0,
    network = isOverTls ? { isTls: true, trustedProxies: [] } : null,
    readForwarded,
    keepsConnection = false,
    ...serviceOptions
  } = options;
  const way = network === null ? null : new OpenedNetworkWay(network);
  const arrivals = new Arrivals({ network: way, readForwarded });
  const early = way === null ? undefined : new EarlyServer({ ...serviceOptions, arrivals });
  const folder = makeFolder();
  const { store } = await openStore({
    folder,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const events: AuditEvent[] = [];
  store.subscribe((event) => events.push(event));
  const ledger = namingOwners(wrapLedger(store));
  const clock = options.clock ?? Date.now;
  const agent = makeAgent({
    ledger,
    clock,
    embeddedUrl: () => baseUrlOf(service.app),
    ...(vault === undefined ? {} : { vault }),
    ...agentOptions,
  });
  const service: Service = await buildService({
    telephony: makeTelephony(ledger, folder),
    recordingFiles: openRecordingFiles(folder, store.state),
    callRecords: callRecordsIn(folder),
    credentialAgent: agent.requests,
    browsers: new BrowserFile(folder),
    replayKeys: new ReplayKeys(folder),
    about: {
      version: '0.0.0',
      dataDir: folder,
      commandLine: null,
      startedAt: new Date().toISOString(),
      repairs: [],
    },
    ...serviceOptions,
    arrivals,
    ...(early === undefined ? {} : { early }),
    ledger,
  });
  if (early !== undefined) {
    service.app.addHook('preClose', () => early.connections.close());
    service.app.addHook('onClose', () => early.close());
  }
  dateAnswersBy(service.app, clock);
  await service.app.listen({ host: '127.0.0.1', port: way === null ? wantedPort : 0 });
  let server: Server = service.app.server;
  const { port: ownPort } = server.address() as AddressInfo;
  if (way !== null && early !== undefined) {
    ({ server } = createNetworkServer(early, way, network?.isTls === true ? testCertificate : null));
    server.listen(wantedPort, '127.0.0.1');
    await once(server, 'listening');
  }
  const { port } = server.address() as AddressInfo;
  const isTls = network?.isTls ?? false;
  way?.answerTo([...(network?.names ?? []), `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  whenOver(async () => {
    service.app.server.closeAllConnections();
    await service.app.close();
    await store.close();
  });

  const kept = keepsConnection ? new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true }) : null;
  if (kept !== null) whenOver(() => kept.destroy());
  const setup: AttackSetup = {
    service,
    store,
    folder,
    port,
    ownPort,
    host: `127.0.0.1:${port}`,
    origin: `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`,
    server,
    cookieName: sessionCookieName(port, isTls),
    agent: (agentOptions) => new (isTls ? HttpsAgent : HttpAgent)(agentOptions),
    events,
    call: (call) => sendCall(port, { ...(kept === null ? {} : { agent: kept }), ...call }, { isTls }),
    async owner(method, path, body) {
      const answer = await sendCall(ownPort, { method, path, body, bearer: service.sessions.portalKey });
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    },
    async issue(more = {}) {
      const answer = await setup.owner('POST', '/portal/tokens', {
        name: 'attacked',
        validity_days: 7,
        ...more,
      });
      return IssuedToken.parse(JSON.parse(answer.text));
    },
  };
  return setup;
}

/** For a service that tests share: the failures of one test slow no other. */
export const noThrottle: ThrottleLimits = {
  perSource: { burst: 1e9, perSecond: 1e9 },
  perSourceAndToken: { burst: 1e9, perSecond: 1e9 },
};

export function rotate(
  setup: AttackSetup,
  bearer: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return setup.call({ method: 'POST', path: '/v1/auth/rotate', bearer, headers });
}

/** Stores menus until a page of them is a megabyte: more than the buffers of a connection that is not read. */
export async function makeLargeList(setup: AttackSetup, bearer: string): Promise<void> {
  const body = {
    ...ivrBody,
    description: 'x'.repeat(1000),
    option: Array.from('123456789*0#'),
    destination: Array.from({ length: 12 }, () => `extension||${'x'.repeat(190)}`),
  };
  for (let made = 0; made < 280; made += 1) {
    const { status } = await setup.call({ method: 'POST', path: '/v1/ivr', bearer, body });
    if (status !== 200) throw new Error(`POST /v1/ivr: ${status}`);
  }
}

/** The headers of a browser that opens an address. */
const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

export interface Browser {
  /** The headers that it sends to every port of 127.0.0.1. */
  readonly cookie: string;
  readonly pageCode: string;
  /** The headers of its page. */
  readonly own: Readonly<Record<string, string>>;
}

/** Follows a sign-in link as a browser does. */
export async function signIn(setup: AttackSetup): Promise<Browser> {
  const path = `/?code=${setup.service.sessions.createCode()}`;
  const { status, headers } = await setup.call({ method: 'GET', path, headers: asBrowser });
  expect(status).toBe(303);
  const location = String(headers.location);
  expect(location.startsWith(`/${pageCodeFragment}`)).toBe(true);
  const pageCode = location.slice(pageCodeFragment.length + 1);
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  return { cookie, pageCode, own: { cookie, [pageKeyHeader]: `${pageCode}.made-by-the-page` } };
}

export function ask(
  setup: AttackSetup,
  headers: Readonly<Record<string, string>>,
  path = '/portal/status',
): Promise<Answer> {
  return setup.call({ method: 'GET', path, headers });
}

export function signOut(
  setup: AttackSetup,
  headers: Readonly<Record<string, string>>,
  allBrowsers = false,
): Promise<Answer> {
  const body = { all_browsers: allBrowsers };
  return setup.call({ method: 'POST', path: '/portal/sign-out', headers, body });
}

/** The cookie of a window of the app, which needs no page key. */
export function windowCookie({ service, cookieName }: AttackSetup): { name: string; value: string } {
  return { name: cookieName, value: service.sessions.createSession() };
}

/** An open event stream. */
export async function openStream(
  setup: AttackSetup,
  headers: Readonly<Record<string, string>>,
): Promise<Wire> {
  const wire = openWire(setup.port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  wire.write(
    requestText('GET /portal/events HTTP/1.1', [`Host: ${setup.host}`, 'Connection: close', ...lines]),
  );
  while (!wire.received().includes('retry:'))
    await new Promise((resolve) => wire.socket.once('data', resolve));
  return wire;
}

interface AnyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly body?: string;
}

/** Expects that problem: its status, exactly the shape of the family, never cached. */
export function expectRefusal(
  answer: AnyAnswer | null,
  code: ProblemCode,
  family: RouteFamily,
  message: string = problems[code].message,
): void {
  expect(answer).not.toBeNull();
  expectRefusalShape(answer!, family);
  const said = JSON.parse(textOf(answer!)) as { message?: string; Message?: string };
  expect({ status: answer!.status, message: said.message ?? said.Message }).toEqual({
    status: problems[code].status,
    message,
  });
}

/** The family that refuses what is asked for below a path. */
export function familyOf(path: string): RouteFamily {
  if (path.startsWith('/portal')) return 'portal';
  return path.startsWith('/v1/ivr') ? 'ivr' : 'auth';
}

/** Expects the shape of a refusal of this family, whatever its status is. */
export function expectRefusalShape(answer: AnyAnswer, family: RouteFamily): void {
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const parsed = refusalShapes[family].strict().safeParse(JSON.parse(textOf(answer)));
  expect(parsed.success, `${answer.status} ${textOf(answer)}`).toBe(true);
}

function textOf({ text, body }: AnyAnswer): string {
  return text ?? body ?? '';
}
