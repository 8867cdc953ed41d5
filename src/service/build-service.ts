/**
 * Service: the HTTP server of the program. It takes calls on a loopback address, asks `core`, makes the result durable
 * through the ledger, and answers as the contract defines. It decides nothing that `core` can decide and stores
 * nothing. Start reading here, then `add-route.ts` (how a route of the contract is served) and `v1/auth-routes.ts`.
 */
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { bodyLimitBytes } from '../contract/routes/route.ts';
import type { CredentialAgent } from '../core/credential/credential-agent.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import { logText } from '../text/service.ts';
import { addDocsRoutes } from './docs/docs-routes.ts';
import { ExpiryWatch } from './expiry-watch.ts';
import { BearerGate } from './guard/bearer-gate.ts';
import { Connections } from './guard/connections.ts';
import { defaultThrottleLimits, type ThrottleLimits } from './guard/failure-throttle.ts';
import { guardHostAndOrigin } from './guard/host-and-origin.ts';
import { PortalSessions, sessionCookieName } from './guard/portal-sessions.ts';
import { answerClientError, answerNotFound, handleError } from './handle-error.ts';
import { lazySerializers } from './join-alternatives.ts';
import { readJsonBodies } from './json-bodies.ts';
import { loggerOptions, type LogTarget } from './logger-options.ts';
import { addPortalRoutes } from './portal/portal-routes.ts';
import type { ReplayKeyring } from './secrets/sealed-reply.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { baseUrlOf, type ServiceAbout, type ServiceContext } from './service-context.ts';
import { addAuthRoutes } from './v1/auth-routes.ts';
import { addIvrRoutes } from './v1/ivr-routes.ts';
import { addWindowsRoutes } from './windows-routes.ts';

export interface ServiceOptions {
  readonly ledger: Ledger;
  readonly replayKeys: ReplayKeyring;
  readonly keeper: CredentialAgent;
  /** Where the audio of recordings lies. */
  readonly recordingFiles: RecordingFiles;
  /** The person's zone, for preferred hours. Default: UTC. */
  readonly zone?: ZoneOffset;
  readonly about: ServiceAbout;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** The built renderer; without it `/` says so. */
  readonly windowsDir?: string | undefined;
  readonly throttleLimits?: ThrottleLimits;
  /** How often slow callers are looked for, in milliseconds. Default: 10 s. */
  readonly lookForSlowMs?: number;
  /** Called when the clock is looked at without a reason: once a minute while there are tokens that can expire. */
  readonly onNapEnd?: (() => void) | undefined;
  /** Where the log goes and from which level; without it nothing is logged. */
  readonly log?: LogTarget | undefined;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly sessions: PortalSessions;
  /** A cookie that signs a window in, for the address that it listens on. */
  windowCookie(): { name: string; value: string };
  /** Looks at the clock now: after sleep or a clock change. */
  wake(): void;
}

/** How long a caller may take, in milliseconds: headers, then the whole request. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
/** How long a connection may be idle, in milliseconds, such as one that never reads its reply. */
const silenceTimeoutMs = 60_000;
/**
 * How often the first two limits are checked, in milliseconds. This timer always runs: a short interval would wake the
 * machine.
 */
const lookForSlowMs = 10_000;

/** Builds the service; it does not listen yet, so tests can call it without a port. */
export async function buildService(options: ServiceOptions): Promise<Service> {
  const { ledger, replayKeys, keeper, recordingFiles, about, clock = Date.now, zone = () => 0 } = options;
  const sessions = new PortalSessions(clock);
  const connections = new Connections();
  const gate = new BearerGate(ledger, clock, connections, options.throttleLimits ?? defaultThrottleLimits);
  const context: ServiceContext = {
    ledger,
    clock,
    gate,
    connections,
    sessions,
    replayKeys,
    about,
    keeper,
    zone,
    recordingFiles,
  };

  const app: FastifyInstance = fastify({
    logger: options.log === undefined ? false : loggerOptions(options.log),
    // A child logger a request costs more than the request is worth: what is logged carries its id by hand.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A start on a slow machine, or one that slept meanwhile, takes its time and is no failure.
    pluginTimeout: 0,
    clientErrorHandler: answerClientError,
    frameworkErrors(error, request, reply) {
      void handleError(error, request, reply);
    },
    serverFactory(handle, { keepAliveTimeout }) {
      const server = connections.createServer(handle, {
        joinDuplicateHeaders: true,
        // The guard answers a missing Host itself, in words, and an Expect that nobody can meet.
        requireHostHeader: false,
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: options.lookForSlowMs ?? lookForSlowMs,
        keepAliveTimeout: keepAliveTimeout as number,
      });
      server.setTimeout(silenceTimeoutMs);
      return server;
    },
    routerOptions: { maxParamLength: 200 },
    schemaController: lazySerializers,
  });
  app.addHook('preClose', () => {
    connections.close();
  });

  if (options.clock !== undefined) stampDates(app, options.clock);
  app.addHook('onRequest', addSecurityHeaders);
  app.addHook('onRequest', guardHostAndOrigin);
  app.addHook('onSend', connections.holdAnswer);
  app.addHook('onSend', connections.leaveBody);
  app.setErrorHandler(handleError);
  answerNotFound(app);
  readJsonBodies(app, connections);

  addAuthRoutes(app, context);
  addIvrRoutes(app, context);
  addDocsRoutes(app, context);
  // In a scope of its own: `/v1` knows no cookies, and does not look for them.
  await app.register(async (owned) => {
    await owned.register(cookie);
    addPortalRoutes(owned, context);
    await addWindowsRoutes(owned, { sessions, folder: options.windowsDir });
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
  return {
    app,
    sessions,
    windowCookie: () => ({
      name: sessionCookieName(Number(new URL(baseUrlOf(app)).port)),
      value: sessions.createSession(),
    }),
    wake() {
      expiryWatch.wake();
    },
  };
}

/**
 * Dates every answer by the clock that the service goes by.
 *
 * Node stamps answers with the system's; callers put the end of a token on their own clock by that stamp, so one that
 * differs from the instants in the answer would move it.
 */
function stampDates(app: FastifyInstance, clock: Clock): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    void reply.header('date', new Date(clock()).toUTCString());
    done();
  });
}
