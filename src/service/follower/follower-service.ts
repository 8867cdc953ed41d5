/**
 * What a host of a team answers while another one leads: its own health, and to everything else what the leader says. It has no
 * routes and no state. Start reading here, then `pass-on.ts`.
 */
import { type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import { refusalMark } from '../../contract/credential/proxy.ts';
import { metricsPath, probePaths, stopPath } from '../../contract/address.ts';
import { HealthQuery } from '../../contract/service/team.ts';
import type { Clock } from '../../core/ledger.ts';
import type { Result } from '../../core/result.ts';
import { requestIdOf } from '../../network/create-listener.ts';
import type { EarlyServer } from '../early-server.ts';
import type { Arrival } from '../guard/arrival.ts';
import { readBearer } from '../guard/bearer-gate.ts';
import { problemOfRequest } from '../guard/host-and-origin.ts';
import { notLeadingHeader, type PassedOnCalls } from '../guard/passed-on.ts';
import { logText } from '../../text/service/service-text.ts';
import { hasBody, takeTime } from '../proxy/outgoing-request.ts';
import { familyOfPath, refusalBody } from '../http/refusal-body.ts';
import { digestOf } from '../secrets/token-value.ts';
import { embeddingHeaders } from '../http/security-headers.ts';
import { type HealthChallenge, healthOf, type ReadHostFacts } from '../host-health.ts';
import { baseUrlOf } from '../service-context.ts';
import { type LogTarget, logsRequests } from '../http/logger-options.ts';
import type { Metrics } from '../metrics.ts';
import type { LeaderWatch } from './known-leader.ts';
import { type Call, PassOn } from './pass-on.ts';

export interface FollowerOptions {
  readonly early: EarlyServer;
  readonly leaders: LeaderWatch;
  /** The key of the cluster. */
  readonly key: KeyObject;
  /** What other hosts pass on to this one, which does not lead. */
  readonly passedOnCalls: PassedOnCalls;
  /** The key of this host's owner, as in its `runtime.json`. */
  readonly portalKey: string;
  /** Whether a key is of an owner of the team now, by its digest. For what this host answers itself. */
  readonly isOwnerKey: (digest: string) => Promise<boolean>;
  /** How a call arrived; it is refused where its Host header is no name of this host. */
  readonly readArrival: (request: IncomingMessage) => Result<Arrival, ProblemCode>;
  readonly version: string;
  readonly readHost: ReadHostFacts;
  readonly metrics: Metrics;
  /** Default: nothing is logged. */
  readonly log?: LogTarget | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** How long a call waits for a leader, in milliseconds. Default: 10 s. */
  readonly patienceMs?: number | undefined;
  /** Ends this host. Default: a call does not end it. */
  readonly onStopAsked?: (() => void) | undefined;
}

/** Longer than a leader that died keeps its lease. */
const usualPatienceMs = 10_000;

/** What this host answers itself. */
const ownPaths: readonly string[] = [...probePaths, metricsPath];

const json = 'application/json; charset=utf-8';

/** In place of a route, which only the leader knows. */
const passedOnRoute = '(passed on)';

export class FollowerService {
  readonly handle: RequestListener;
  readonly #options: FollowerOptions;
  readonly #passOn: PassOn;
  readonly #taken = new WeakSet<ServerResponse>();

  constructor(options: FollowerOptions) {
    const { early, leaders, key, portalKey, readArrival } = options;
    const clock = options.clock ?? Date.now;
    const ownKey = Buffer.from(portalKey);
    this.#options = options;
    this.#passOn = new PassOn({
      leaders,
      key,
      connections: early.connections,
      refuse,
      patienceMs: options.patienceMs ?? usualPatienceMs,
    });
    this.handle = (request, response) => {
      this.#taken.add(response);
      const requestId = requestIdOf(request);
      const call = { request, response, requestId };
      this.#report(call);
      const passedOn = options.passedOnCalls.read(request, clock());
      if (passedOn !== null) {
        if (passedOn.ok) response.setHeader(notLeadingHeader, '1');
        refuse(call, passedOn.ok ? 'no_leader' : passedOn.refusal);
        return;
      }
      const arrived = readArrival(request);
      if (!arrived.ok) {
        refuse(call, arrived.refusal);
        return;
      }
      const { url = '' } = request;
      // A slash at the end is the same route, as at the host that leads (`add-route.ts`).
      const path = (url.split('?', 1)[0] ?? '').replace(/^(\/v1\/\w+)\/$/, '$1');
      // Which pages a link may open, the host that leads knows.
      const problem = problemOfRequest(request, arrived.value, () => !ownPaths.includes(path));
      if (problem !== null || url === '*') {
        refuse(call, problem ?? 'not_found');
        return;
      }
      const bearer = readBearer(request.headers.authorization);
      const isOwner = bearer !== null && isSame(Buffer.from(bearer), ownKey);
      if (isOwner) early.connections.trust(request.socket, 'owner');
      if (isOwner && request.method === 'POST' && path === stopPath && options.onStopAsked !== undefined) {
        response.once('finish', options.onStopAsked);
        send(call, { status: 200, type: json, body: '{}' });
        return;
      }
      if (
        this.#answer(
          call,
          path,
          async () => isOwner || (bearer !== null && (await options.isOwnerKey(digestOf(bearer)))),
        )
      )
        return;
      if (path.startsWith('/proxy/')) takeTime(request);
      this.#passOn.pass({ ...call, arrival: { ...arrived.value, isOwner } });
    };
  }

  /** Whether a call is answered here, and not by a service that had the calls before or after. */
  has(response: ServerResponse): boolean {
    return this.#taken.has(response);
  }

  /** How many calls are with the leader. */
  get size(): number {
    return this.#passOn.size;
  }

  /** Counts and logs a call once it is answered. Its path is not known to be free of secrets, so it is named by what happens to it. */
  #report({ request, response, requestId }: Omit<Call, 'arrival'>): void {
    const { metrics, log } = this.#options;
    if (!metrics.isOn && !logsRequests(log)) return;
    const { method = '' } = request;
    const begunAt = performance.now();
    response.once('close', () => {
      const ms = performance.now() - begunAt;
      const { statusCode: status } = response;
      metrics.tellRequest({ method, route: passedOnRoute, status, seconds: ms / 1000 });
      if (!logsRequests(log)) return;
      const facts = { request_id: requestId, method, route: passedOnRoute, status, duration_ms: ms };
      log.stream.write(
        `${JSON.stringify({ level: 30, time: Date.now(), pid: process.pid, ...facts, msg: logText.request })}\n`,
      );
    });
  }

  /** As the service that leads answers it. What is no challenge gets no proof. */
  #challengeIn({ url = '' }: IncomingMessage): HealthChallenge | null {
    const given = new URLSearchParams(url.split('?', 2)[1] ?? '').get('challenge') ?? undefined;
    const { challenge } = HealthQuery.safeParse({ challenge: given }).data ?? {};
    const { portalKey: key, early } = this.#options;
    return challenge === undefined ? null : { challenge, key, baseUrl: baseUrlOf(early) };
  }

  /** Answers what concerns this host alone; false for every other call. */
  #answer(call: Omit<Call, 'arrival'>, path: string, isOfOwner: () => Promise<boolean>): boolean {
    const { method = '' } = call.request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const { version, readHost, metrics } = this.#options;
    switch (path) {
      case '/v1/health':
        send(call, {
          status: 200,
          type: json,
          body: JSON.stringify(healthOf(version, readHost(), this.#challengeIn(call.request))),
        });
        return true;
      case '/v1/ready':
        // Whether changes can be stored, the host that leads knows.
        if (readHost().isReady) return false;
        refuse(call, 'not_ready');
        return true;
      case metricsPath:
        isOfOwner()
          .then(async (isKnown) => {
            if (!isKnown) refuse(call, 'not_signed_in');
            else {
              const { contentType, body: shown } = await metrics.read();
              send(call, { status: 200, type: contentType, body: shown });
            }
          })
          .catch(() => refuse(call, 'internal'));
        return true;
      default:
        return false;
    }
  }

  async close(): Promise<void> {
    await this.#passOn.close();
  }
}

function isSame(presented: Buffer, expected: Buffer): boolean {
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}

/** How long a caller should wait before it tries again, in seconds. */
const retryAfterSeconds = 2;

function refuse(call: Omit<Call, 'arrival'>, problem: ProblemCode): void {
  const { request, response, requestId } = call;
  const { status } = problems[problem];
  const family = familyOfPath(request.url ?? '');
  const isProxied = family === 'proxy';
  if (status === 503) response.setHeader('retry-after', retryAfterSeconds);
  if (isProxied) response.setHeader(refusalMark, 'refused');
  send(call, {
    status,
    type: `application/${isProxied ? 'problem+json' : 'json'}; charset=utf-8`,
    body: JSON.stringify(refusalBody(family, problem, status >= 500 ? { requestId } : {})),
  });
}

function send(
  { request, response, requestId }: Omit<Call, 'arrival'>,
  { status, type, body }: { readonly status: number; readonly type: string; readonly body: string },
): void {
  // A body that nobody has read is in the way of the next call.
  if (!request.complete && hasBody(request)) response.setHeader('connection', 'close');
  response.writeHead(status, {
    ...embeddingHeaders,
    'x-request-id': requestId,
    'content-type': type,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  });
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
