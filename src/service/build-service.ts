/**
 * Service: the HTTP server of the program. It takes calls on a loopback address, asks `core`, makes the result durable
 * through the ledger, and answers as the contract defines. Decisions belong to `core`; the service itself stores
 * nothing. Start reading here, then `add-route.ts` (how a route of the contract is served) and `v1/auth-routes.ts`.
 */
import cookie from '@fastify/cookie';
import type { RequestListener } from 'node:http';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { metricsPath } from '../contract/address.ts';
import { routes } from '../contract/routes.ts';
import { bodyLimitBytes } from '../contract/route.ts';
import type { CredentialAgent } from '../core/credential/credential-agent.ts';
import type { OpenCallRecords, Telephony } from '../core/calls/telephony.ts';
import type { FolderOrigin } from '../core/folder-origin.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import { done, refused } from '../core/result.ts';
import type { NetworkPort } from '../core/network/network-port.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import type { Speaker } from '../core/speech/speaker.ts';
import type { VoicePacks } from '../core/speech/voice-packs.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import { requestIdOf } from '../network/create-listener.ts';
import { speechLog } from '../text/menu/speech-text.ts';
import { logText } from '../text/service/service-text.ts';
import { AddingVoice } from './adding-voice.ts';
import { addDocsRoutes } from './docs/docs-routes.ts';
import { CredentialUses } from './credential-uses.ts';
import { EarlyServer, type EarlyServerOptions } from './early-server.ts';
import { RecordingService } from './recording-service.ts';
import { SpeakEverything } from './speak-all.ts';
import { SpokenPrompts } from './spoken-prompts.ts';
import { ExpiryWatch } from './expiry-watch.ts';
import { BearerGate } from './guard/bearer-gate.ts';
import { defaultThrottleLimits, type ThrottleLimits } from './guard/failure-throttle.ts';
import { guardHostAndOrigin } from './guard/host-and-origin.ts';
import { checkPassedOnBodies } from './guard/passed-on.ts';
import type { BrowserList } from './guard/known-browsers.ts';
import { PortalSessions } from './guard/portal-sessions.ts';
import { answerNotFound, handleError } from './http/handle-error.ts';
import { type ReadHostFacts, singleHost } from './host-health.ts';
import { lazySerializers } from './http/join-alternatives.ts';
import { readJsonBodies } from './http/json-bodies.ts';
import {
  addRequestLog,
  logFailure,
  loggerOptions,
  type LogTarget,
  RequestLog,
} from './http/logger-options.ts';
import { addMetricsRoute, type Metrics } from './metrics.ts';
import { addPromptRoute } from './portal/recording-routes.ts';
import { addPortalRoutes } from './portal/portal-routes.ts';
import type { ReplayKeyring } from './secrets/sealed-reply.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import type {
  Backups,
  Launchers,
  MoveTokens,
  ProviderFileReader,
  ServiceAbout,
  ServiceContext,
  TeamHosts,
  ToolCommands,
} from './service-context.ts';
import { toolCommandText } from '../text/credential/connection-text.ts';
import { addAuthRoutes } from './v1/auth-routes.ts';
import { CredentialProxy, isProxied } from './proxy/credential-proxy.ts';
import { DraftWindowList } from './portal/draft-windows.ts';
import { ProxyUses } from './proxy/proxy-use.ts';
import type { UpstreamOptions } from './proxy/upstream-caller.ts';
import { addIvrRoutes } from './v1/v1-ivr-handlers.ts';
import { addWindowsRoutes } from './windows-routes.ts';

export interface ServiceOptions extends EarlyServerOptions {
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** The browsers that may sign in again after a restart. */
  readonly browsers: BrowserList;
  /** Who is signed in. Default: nobody yet. */
  readonly sessions?: PortalSessions | undefined;
  readonly ledger: Ledger;
  readonly replayKeys: ReplayKeyring;
  readonly credentialAgent: CredentialAgent;
  readonly callRecords: OpenCallRecords;
  readonly telephony: Telephony;
  /** The folder with the audio of recordings. */
  readonly recordingFiles: RecordingFiles;
  /** Makes speech of the texts of menus. Default: there are no voices. The service closes it. */
  readonly speaker?: Speaker | undefined;
  /** Adds voices to this host. Default: none can be added. */
  readonly voicePacks?: VoicePacks | undefined;
  /** Default: there are none beside those that are known. */
  readonly providerFiles?: ProviderFileReader;
  /** The owner's time zone, for preferred hours. Default: UTC. */
  readonly zone?: ZoneOffset;
  readonly about: ServiceAbout;
  /** What this host does in its team. Default: it is alone. */
  readonly readHost?: ReadHostFacts | undefined;
  /** The hosts of its team. Default: it is alone. */
  readonly team?: TeamHosts | undefined;
  /** Default: they stay where they are. */
  readonly moveTokens?: MoveTokens | undefined;
  /** Default: a team, whose database is backed up by its own tools. */
  readonly backups?: Backups | undefined;
  /** Where the data come from. Default: they are used nowhere else. */
  readonly origin?: FolderOrigin | undefined;
  /** Ends the program. Default: it is not ended by a call. */
  readonly stop?: (() => void) | undefined;
  /** Default: tools can be connected, and have no program to run. */
  readonly launchers?: Launchers | undefined;
  /** Default: tools are connected by commands alone. */
  readonly toolCommands?: ToolCommands | undefined;
  /** Default: nobody is told. */
  readonly onUnansweredTool?: ServiceContext['onUnansweredTool'] | undefined;
  /** Default: nothing is measured. */
  readonly metrics?: Metrics | undefined;
  readonly throttleLimits?: ThrottleLimits;
  /** The server that listens already. Default: a new one that does not listen yet. */
  readonly early?: EarlyServer;
  /** How calls leave this machine, for the settings. Default: nothing of it is shown or changed. */
  readonly networkPort?: NetworkPort;
  /** How the proxy reaches other services. Default: as the system does. */
  readonly upstream?: UpstreamOptions;
  /** Called by every timed check of the clock: once a minute while there are tokens that can expire. */
  readonly onNapEnd?: (() => void) | undefined;
  /** The destination and the lowest level of the log; without it nothing is logged. */
  readonly log?: LogTarget | undefined;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly sessions: PortalSessions;
  /** A cookie that signs a window in, for the address that the window loads. */
  windowCookie(): { name: string; value: string };
  /** Checks the clock now: after sleep or a clock change. */
  wake(): void;
}

const noProviderFiles: ProviderFileReader = {
  reload: () => Promise.resolve({ changed: false, loaded: [], refused: [] }),
  onChange: () => () => undefined,
};

const noLaunchers: Launchers = { pathOf: ({ id }) => id, write: () => Promise.resolve() };

const notConnected = () => Promise.resolve(refused(toolCommandText.notStarted));
const noToolCommands: ToolCommands = {
  obstacle: 'no_command_line',
  connect: notConnected,
  check: notConnected,
  disconnect: notConnected,
  end: () => undefined,
};

/** Without one the settings are stored as they are. */
const noNetwork: NetworkPort = {
  status: () =>
    Promise.resolve({
      proxy: { setting: 'system', used: null, source: null, has_login: false, problem: null },
      certificates: { file: null, count: 0, extra: false, problem: null },
    }),
  refusalOf: () => null,
  setLogin: (login) => Promise.resolve(login === null ? done(null) : refused('no_proxy')),
};

/** Builds the service. With its own server it does not listen yet, so tests can call it without a port. */
export async function buildService(options: ServiceOptions): Promise<Service> {
  const {
    ledger,
    replayKeys,
    credentialAgent,
    callRecords,
    telephony,
    recordingFiles,
    about,
    clock = Date.now,
    zone = () => 0,
  } = options;
  const early =
    options.early ??
    new EarlyServer({
      ...options,
      onFailure(error, id) {
        if (options.log !== undefined) logFailure(options.log, error, id);
      },
    });
  const { connections, arrivals } = early;
  const sessions =
    options.sessions ??
    new PortalSessions({ ledger, clock, browsers: options.browsers, commandLine: options.about.commandLine });
  const gate = new BearerGate(ledger, clock, connections, options.throttleLimits ?? defaultThrottleLimits);
  const reportFailure = (error: unknown, requestId: string | null = null): void => {
    const id = requestId === null ? {} : { request_id: requestId };
    app.log.error({ err: error, ...id }, logText.requestFailed);
  };
  const uses = new CredentialUses(ledger, reportFailure);
  const proxyUses = new ProxyUses(uses, { ledger, clock }, reportFailure);
  const recordings = new RecordingService(ledger, recordingFiles);
  const spoken = new SpokenPrompts({
    ledger,
    recordings,
    speaker: options.speaker ?? null,
    clock,
    onUnspoken(text, problem) {
      app.log.warn({ text, problem }, speechLog.notSpoken);
    },
    onFailure(error) {
      app.log.error({ err: error }, speechLog.failed);
    },
  });
  const speakEverything = new SpeakEverything({
    ledger,
    spoken,
    clock,
    onFailure(error) {
      app.log.error({ err: error }, speechLog.failed);
    },
  });
  const addingVoice = options.voicePacks === undefined ? null : new AddingVoice(options.voicePacks, clock);
  const context: ServiceContext = {
    uses,
    draftWindows: new DraftWindowList(clock),
    proxyUses,
    ledger,
    clock,
    gate,
    connections,
    sessions,
    replayKeys,
    about,
    credentialAgent,
    network: options.networkPort ?? noNetwork,
    callRecords,
    telephony,
    zone,
    recordingFiles,
    recordings,
    spoken,
    voicePacks: options.voicePacks ?? null,
    addingVoice,
    speakEverything,
    providerFiles: options.providerFiles ?? noProviderFiles,
    publicUrl: () => early.publicUrl,
    readHost: options.readHost ?? singleHost,
    team: options.team ?? null,
    moveTokens: options.moveTokens ?? null,
    backups: options.backups ?? null,
    origin: options.origin ?? null,
    stop: options.stop ?? null,
    launchers: options.launchers ?? noLaunchers,
    toolCommands: options.toolCommands ?? noToolCommands,
    onUnansweredTool: options.onUnansweredTool ?? (() => undefined),
  };

  let handleCalls: RequestListener = () => undefined;
  const app: FastifyInstance = fastify({
    logger: options.log === undefined ? false : loggerOptions(options.log),
    // A child logger for each request costs too much, so log entries name the request's id themselves.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    genReqId: requestIdOf,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A start may take long on a slow machine or across a sleep; that is not a failure.
    pluginTimeout: 0,
    frameworkErrors(error, request, reply) {
      void handleError(error, request, reply);
    },
    serverFactory(handle) {
      handleCalls = handle;
      return early.server;
    },
    routerOptions: { maxParamLength: 200 },
    schemaController: lazySerializers,
  });
  answerOnce(early);
  // A server that was given has other services after this one; whoever gave it closes it.
  if (options.early === undefined) app.addHook('preClose', () => connections.close());
  app.decorateRequest('owner', null);

  if (options.clock !== undefined) stampDates(app, options.clock);
  const requestLog = new RequestLog(app.log, options.metrics, options.log);
  addRequestLog(app, requestLog);
  app.addHook('onRequest', addSecurityHeaders);
  app.decorateRequest('arrival');
  app.addHook('onRequest', guardHostAndOrigin(arrivals));
  checkPassedOnBodies(app);
  refuseWhileStale(app, ledger);
  app.addHook('onSend', connections.holdAnswer);
  app.addHook('onSend', connections.leaveBody);
  app.setErrorHandler(handleError);
  answerNotFound(app);
  readJsonBodies(app, connections);

  addAuthRoutes(app, context);
  addIvrRoutes(app, context);
  addDocsRoutes(app, context);
  addPromptRoute(app, context);
  // In a separate scope: `/v1` does not parse cookies.
  await app.register(async (owned) => {
    await owned.register(cookie);
    addPortalRoutes(owned, context);
    if (options.metrics !== undefined) addMetricsRoute(owned, sessions, options.metrics);
    addWindowsRoutes(owned, { sessions, files: early.files });
  });

  const proxy = new CredentialProxy(context, {
    uses: proxyUses,
    upstream: options.upstream ?? {},
    arrivals,
    requestLog,
    onFailure: reportFailure,
  });
  app.addHook('onClose', () => proxy.close());
  app.addHook('onClose', async () => {
    const spokenEnded = speakEverything.close();
    const addingEnded = addingVoice?.close();
    spoken.giveUp();
    await spokenEnded;
    await addingEnded;
    await spoken.close();
  });
  app.addHook('onClose', async () => {
    proxyUses.close();
    await uses.close();
  });

  const expiryWatch = new ExpiryWatch(ledger, clock, {
    onFailure(error) {
      app.log.error({ err: error }, logText.expiryNotRecorded);
    },
    onNapEnd: () => options.onNapEnd?.(),
  });
  app.addHook('onClose', () => {
    expiryWatch.close();
  });
  const removeUnused = (): void => {
    const callsSince = telephony.live().map(({ started_at: at }) => at);
    recordings.removeUnused(callsSince).catch((error: unknown) => {
      app.log.error({ err: error }, speechLog.notRemoved);
    });
  };
  const removing = setInterval(removeUnused, unusedEveryMs).unref();
  app.addHook('onClose', () => {
    clearInterval(removing);
  });
  if (early.server.listening) await app.ready();
  early.handOver((request, response) =>
    isProxied(request.url ?? '') ? proxy.handle(request, response) : handleCalls(request, response),
  );
  // For menus that were stored while nothing could speak.
  setImmediate(() => {
    removeUnused();
    speakEverything.resume();
    spoken.look();
  });
  return {
    app,
    sessions,
    windowCookie: () => sessions.windowCookie(early.port),
    wake() {
      expiryWatch.wake();
      removeUnused();
    },
  };
}

/** How often it is looked for recordings that nothing plays, in milliseconds. */
const unusedEveryMs = 3_600_000;

/** What says how this host itself is, also while it cannot answer for its team. */
const ofThisHost: ReadonlySet<string> = new Set([routes.health.path, routes.ready.path, metricsPath]);

/**
 * Refuses every call that is answered from the state while another host may have changed that, and before it is decided whether its
 * caller is admitted, because that is in the state too.
 */
function refuseWhileStale(app: FastifyInstance, ledger: Ledger): void {
  app.addHook('onRequest', ({ routeOptions: { config, url = '' } }, _reply, next) => {
    if (config.family !== undefined && !ofThisHost.has(config.path ?? url)) ledger.assertCurrent();
    next();
  });
}

/** What is no HTTP, the server answers itself, whichever service it has: what the framework has just added would do it again. */
function answerOnce({ server }: EarlyServer): void {
  const [added] = server.listeners('clientError').slice(-1) as ((...args: unknown[]) => void)[];
  if (added !== undefined) server.off('clientError', added);
}

/**
 * Dates every answer by the service's own clock.
 *
 * Node uses the system's clock. Callers convert a token's expiry to their own clock by that date, so a date that
 * differs from the instants in the answer would shift the expiry.
 */
function stampDates(app: FastifyInstance, clock: Clock): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    void reply.header('date', new Date(clock()).toUTCString());
    done();
  });
}
