/**
 * `ANY /proxy/<credential>/<path>`: sends the request of an app to the service of a credential, with the credential's token.
 *
 * The checks are ours, forwarding is the library's. Bodies are never read here: they are streamed in both directions.
 */
// see decisions/credential-proxy.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { originOf } from '../../contract/address.ts';
import { proxyMethods, proxyPath, type ProxyRefusalCode } from '../../contract/proxy.ts';
import type { CallAccess } from '../../core/credential/credential-agent.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { type AllowedRequest, decideRequest } from '../../core/proxy/decide-request.ts';
import type { AppToken } from '../../core/proxy/proxy-state.ts';
import { rulesOf } from '../../core/proxy/change-proxy.ts';
import { routeOf } from '../../core/proxy/request-path.ts';
import { basePathOf, limitsOf } from '../../core/proxy/rule-limits.ts';
import { invariant } from '../../core/unreachable.ts';
import { credentialRefusalText } from '../../text/credential-refusal-text.ts';
import { defaultThrottleLimits, FailureThrottle } from '../guard/failure-throttle.ts';
import { mayTakeTime } from '../../network/create-listener.ts';
import { smallBytes } from '../guard/connections.ts';
import type { ServiceContext } from '../service-context.ts';
import { answerHeaders } from './answer-headers.ts';
import { admitApp } from './app-token-gate.ts';
import {
  askForText,
  hasBody,
  idleLimitMs,
  outgoingHeaders,
  outgoingQuery,
  withoutDestroy,
} from './outgoing-request.ts';
import type { CallEnding, ProxyUses } from './proxy-use.ts';
import { refuseProxied } from './refuse-proxied.ts';
import { isTextType, scrubbedBody } from './scrub-body.ts';
import { hasToken, isSearchedType, searchedBody, TokenFound } from './search-answer.ts';
import type { Forwarder, UpstreamCall, UpstreamOptions } from './upstream-caller.ts';

/** A request whose app is known, as it is remembered at its end. */
interface Running {
  readonly app: AppToken;
  readonly credential: Credential;
  readonly ending: CallEnding;
  readonly beganAtMs: number;
  readonly beganAt: number;
  readonly bytesBefore: { readonly read: number; readonly written: number };
  isCounted: boolean;
  route: string;
  generation: number;
  refusal: ProxyRefusalCode | null;
  allowed: AllowedRequest | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    proxied: Running | null;
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const allMethods = [...proxyMethods, 'OPTIONS', 'TRACE'];
/** How often a credential is inspected because its service refused a request, in milliseconds. */
const inspectedEveryMs = 30_000;

export function addProxy(
  app: FastifyInstance,
  context: ServiceContext,
  { uses, upstream }: { readonly uses: ProxyUses; readonly upstream: UpstreamOptions },
): void {
  const { ledger, clock, keeper, connections } = context;
  const throttle = new FailureThrottle(defaultThrottleLimits, clock);
  const inspected = new Map<string, number>();
  let opening: Promise<Forwarder> | null = null;
  let forwarder: Forwarder | null = null;
  app.addHook('onClose', async () => (await opening)?.close());

  app.decorateRequest('proxied', null);
  // Nothing of a body is read before the request is allowed, and all of it is sent on as it arrives.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    done(null, withoutDestroy(payload));
  });
  // The library reports every service that is down, which is not our failure.
  const silent = app.log.child({}, { level: 'silent' });
  app.setChildLoggerFactory(() => silent);

  for (const url of ['/proxy/:credential', '/proxy/:credential/*']) {
    app.route({
      method: allMethods,
      url,
      exposeHeadRoute: false,
      config: { family: 'proxy' },
      onRequest: (request, reply, next) => {
        if (check(request, reply)) next();
      },
      // Not a promise: the framework would wait for the end of the answer, which costs more than some of our checks.
      handler: (request, reply) => {
        forward(request, reply).catch((error: unknown) => reply.send(error));
      },
    });
  }

  /** At the first request of an app, because it takes as long as loading the rest of the service. */
  async function openForwarder(): Promise<Forwarder> {
    opening ??= import('./upstream-caller.ts').then((upstreamCaller) =>
      upstreamCaller.openForwarder(keeper, upstream, inspect),
    );
    return (forwarder = await opening);
  }

  /** Whether a request may be sent on; otherwise it has been refused. Nothing is awaited. */
  function check(request: FastifyRequest, reply: FastifyReply): boolean {
    const { raw } = request;
    const { headers, method = '' } = raw;
    const refusal = firstRefusal(request);
    if (refusal !== null) {
      refuseProxied(reply, refusal, { method });
      return false;
    }
    const admitted = admitApp(ledger.state, headers, clock());
    if (!admitted.ok) {
      const wait = throttle.fail(request.arrival.address, '');
      if (wait > 0) refuseProxied(reply, 'too_many_failures', { retryAfterSeconds: wait });
      else refuseProxied(reply, admitted.refusal);
      return false;
    }
    connections.trust(raw.socket, 'token');
    return checkAdmitted(request, reply, admitted.value);
  }

  function checkAdmitted(request: FastifyRequest, reply: FastifyReply, token: AppToken): boolean {
    const { raw } = request;
    const { method = '', url = '' } = raw;
    const credential = ledger.state.credentials.get(token.credentialId);
    invariant(credential !== undefined, 'an app token goes with its credential');
    const target = targetOf(url, credential.name);
    if (target === null) {
      refuseProxied(reply, 'other_credential', { credential: nameIn(request) });
      return false;
    }
    const running = begin(request, reply, { token, credential });
    const no = (code: ProxyRefusalCode, retryAfterSeconds?: number): false => {
      refuse(reply, running, code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
      return false;
    };
    const policy = { rules: rulesOf(ledger.state, credential.id), limits: limitsOf(credential) };
    const decided = decideRequest(policy, { method, target, app: token.app });
    const path = decided.ok ? decided.value.path : decided.refusal.path;
    if (path !== null) running.route = routeOf(path.segments);
    if (!decided.ok) return no(decided.refusal.code);
    running.allowed = decided.value;
    if (safeMethods.has(method) && hasBody(raw)) return no('body_not_supported');
    const begun = uses.limits.begin(token, clock());
    if (!begun.ok) return no(begun.refusal.code, begun.refusal.retryAfterSeconds);
    running.isCounted = true;
    return true;
  }

  async function forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { proxied: running } = request;
    const allowed = running?.allowed ?? null;
    invariant(running !== null && allowed !== null, 'a request is checked before it is sent on');
    const { credential, ending } = running;
    const access = await keeper.accessFor(credential.name);
    if (!access.ok) {
      const { reason } = access.refusal;
      const code = access.refusal.problem === 'vault_unavailable' ? 'vault_unavailable' : 'unusable';
      if (reason.code === 'rotation_open') refuse(reply, running, 'rotating', { retryAfterSeconds: 1 });
      else refuse(reply, running, code, { because: credentialRefusalText(reason) });
      return;
    }
    if (ending.aborted) {
      access.value.settle();
      refuse(reply, running, 'unknown_app_token');
      return;
    }
    running.generation = access.value.generation;
    takeTime(request);
    sendOn(request, reply, {
      running,
      allowed,
      access: access.value,
      forwarder: forwarder ?? (await openForwarder()),
    });
  }

  function sendOn(
    { raw }: FastifyRequest,
    reply: FastifyReply,
    {
      running,
      allowed,
      access,
      forwarder: to,
    }: { running: Running; allowed: AllowedRequest; access: CallAccess; forwarder: Forwarder },
  ): void {
    const { credential, ending, app: token } = running;
    const { baseUrl } = access;
    const { origin, host, path } = partsOf(baseUrl);
    const source = `${path}${allowed.path.raw}`;
    const query = outgoingQuery(allowed.path.query);
    const call: UpstreamCall = {
      credential: credential.name,
      access,
      isPrivateAllowed: allowed.isPrivateAllowed,
      isRepeatable: safeMethods.has(raw.method ?? ''),
      signal: ending,
    };
    const lossOf = (error: Error): ProxyRefusalCode =>
      ending.aborted && !raw.destroyed ? 'unknown_app_token' : to.refusalOf(error);
    // A whole address, because the library parses one faster than two parts of one. The path begins with a slash.
    to.from.call(reply, `${origin}${source}`, {
      queryString: () => query,
      // No retries but the one after a rotation, which the caller makes itself.
      retryDelay: () => null,
      rewriteRequestHeaders: (request) => {
        const headers = outgoingHeaders(request.raw.headers);
        headers['host'] = host;
        if (allowed.isScrubbed || allowed.searchedFor !== null) askForText(headers);
        return to.withCall(headers, call);
      },
      rewriteHeaders(headers) {
        running.generation = call.access.generation;
        return answerHeaders(headers, {
          token: call.access.token,
          target: `${source}${query === '' ? '' : `?${query}`}`,
          baseUrl,
          proxyPath: proxyPath(credential.name),
          ownOrigin: () => context.publicUrl(),
          onReflected: (header) => uses.tellReflected(credential.id, token.app, header),
        });
      },
      onResponse(_request, _reply, { stream }) {
        const type = reply.getHeader('content-type');
        const isScrubbed = allowed.isScrubbed && isTextType(type);
        const searchedFor = isSearchedType(type) ? allowed.searchedFor : null;
        const withhold = (code: ProxyRefusalCode): void => {
          stream.on('error', () => undefined).destroy(); // it was not read to its end
          for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
          refuse(reply, running, code, { service: host });
        };
        const onLost = (error: Error): void => {
          withhold(error instanceof TokenFound ? 'token_in_answer' : lossOf(error));
        };
        if (allowed.searchedFor !== null && hasToken(headerText(reply), allowed.searchedFor)) {
          withhold('token_in_answer');
          return;
        }
        if ((!isScrubbed && searchedFor === null) || raw.method === 'HEAD') {
          sendAnswer(reply, stream, onLost);
          return;
        }
        const encoding = reply.getHeader('content-encoding') ?? 'identity';
        if (encoding !== 'identity') {
          withhold('compressed');
          return;
        }
        const onFound = () => uses.tellReflected(credential.id, token.app, null);
        const cleaned = (body: Readable) =>
          isScrubbed ? scrubbedBody(body, call.access.token, onFound) : body;
        const body = searchedFor === null ? stream : searchedBody(stream, searchedFor, isReadWhole(reply));
        body.on('error', (error) => {
          if (error instanceof TokenFound) running.refusal = 'token_in_answer';
        });
        sendBegun(reply, cleaned(body), onLost);
      },
      onError(_reply, { error }) {
        refuse(reply, running, lossOf(error), { service: host });
      },
    });
  }

  function refuse(
    reply: FastifyReply,
    running: Running,
    code: ProxyRefusalCode,
    more: { readonly because?: string; readonly service?: string; readonly retryAfterSeconds?: number } = {},
  ): void {
    running.refusal = code;
    const { method = '' } = reply.request.raw;
    const { credential, app: token, route } = running;
    refuseProxied(reply, code, { method, credential: credential.name, app: token.app, route, ...more });
  }

  /** From here on a request is remembered at its end, whatever becomes of it. */
  function begin(
    request: FastifyRequest,
    { raw: response }: FastifyReply,
    { token, credential }: { readonly token: AppToken; readonly credential: Credential },
  ): Running {
    const { socket, method = '' } = request.raw;
    const running: Running = {
      app: token,
      credential,
      ending: uses.begin(token.id),
      beganAtMs: clock(),
      beganAt: performance.now(),
      // What this connection received since its last request: a small one is read before it gets here.
      bytesBefore: { read: readBefore.get(socket) ?? 0, written: socket.bytesWritten },
      isCounted: false,
      route: '/**',
      generation: 0,
      refusal: null,
      allowed: null,
    };
    request.proxied = running;
    response.once('close', () => {
      if (!response.writableFinished) running.ending.end();
      const bytesIn = countOf(socket.bytesRead, running.bytesBefore.read);
      const bytesOut = countOf(socket.bytesWritten, running.bytesBefore.written);
      mayTakeTime.delete(socket);
      readBefore.set(socket, socket.bytesRead);
      uses.end(token.id, running.ending, running.isCounted ? bytesIn + bytesOut : null);
      uses.add(credential.id, {
        token_id: token.id,
        app: token.app,
        generation: running.generation,
        method,
        route: running.route,
        status: response.headersSent ? response.statusCode : 0,
        refusal: running.refusal,
        at: isoInstant(running.beganAtMs),
        bytes_in: bytesIn,
        bytes_out: bytesOut,
        duration_ms: Math.round(performance.now() - running.beganAt),
      });
    });
    return running;
  }

  /** A service that refuses a token which is still the current one: it may have been revoked there. */
  function inspect(name: string): void {
    const nowMs = clock();
    if (nowMs - (inspected.get(name) ?? -Infinity) < inspectedEveryMs) return;
    inspected.set(name, nowMs);
    keeper.testCredential(name).catch((error: unknown) => {
      app.log.error({ err: error });
    });
  }
}

interface AddressParts {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  /** Without a slash at its end. */
  readonly path: string;
}

/** By base_url: there are as many as credentials. */
const addressParts = new Map<string, AddressParts>();

function partsOf(baseUrl: string): AddressParts {
  let parts = addressParts.get(baseUrl);
  if (parts === undefined) {
    const origin = originOf(baseUrl);
    parts = { origin, host: origin.replace(/^[a-z]+:\/\//i, ''), path: basePathOf(baseUrl) };
    addressParts.set(baseUrl, parts);
  }
  return parts;
}

/** How many bytes each connection had received at the end of its last request. */
const readBefore = new WeakMap<Socket, number>();

/** What is refused to everybody, whatever its token. */
function firstRefusal({ raw, arrival }: FastifyRequest): ProxyRefusalCode | null {
  const { headers, method = '' } = raw;
  if (/^http:\/\/localhost(?::|$)/.test(arrival.origin)) return 'host_not_literal';
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'browser';
  if (!(proxyMethods as readonly string[]).includes(method)) return 'method_not_supported';
  return headers.upgrade === undefined ? null : 'upgrade';
}

/** The path below the credential, as it was sent; null if the address names another credential, or writes its name otherwise. */
function targetOf(url: string, name: string): string | null {
  const path = proxyPath(name);
  if (!url.startsWith(path)) return null;
  const rest = url.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : null;
}

function nameIn({ params }: FastifyRequest): string {
  return String((params as Readonly<Record<string, unknown>>)['credential']).slice(0, 63);
}

/**
 * Sends the body of an answer as it arrives. A small one has mostly arrived with its headers, and then goes out with them in one
 * piece, which takes half as long as a stream does.
 */
function sendAnswer(reply: FastifyReply, body: Readable, onLost: (error: Error) => void): void {
  const length = Number(reply.getHeader('content-length') ?? Infinity);
  // Without a type the framework would name one.
  const isSmall = length > 0 && length < smallBytes && reply.hasHeader('content-type');
  if (reply.request.method === 'HEAD') {
    reply.send(body);
    return;
  }
  if (!isSmall) {
    sendBegun(reply, body, onLost);
    return;
  }
  // What has arrived is parsed to its end before this runs.
  process.nextTick(() => {
    const whole: unknown = body.readableLength === length && !body.destroyed ? body.read() : null;
    if (whole === null) sendBegun(reply, body, onLost);
    else reply.send(whole);
  });
}

/** Sends a body once its first part is there, or says that it was lost before that. */
function sendBegun(reply: FastifyReply, body: Readable, onLost: (error: Error) => void): void {
  body.once('error', onLost);
  body.once('readable', () => {
    body.off('error', onLost);
    reply.send(body);
  });
}

/** Whether an answer is one that a program reads when all of it is there: small, or JSON in one piece. */
function isReadWhole(reply: FastifyReply): boolean {
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b/i.test(String(reply.getHeader('content-type')));
  return isJson || Number(reply.getHeader('content-length') ?? Infinity) < smallBytes;
}

function headerText(reply: FastifyReply): string {
  return Object.values(reply.getHeaders()).join('\n');
}

/** Lets a request that was allowed take as long as it needs; what remains is the limit on silence. */
function takeTime({ raw }: FastifyRequest): void {
  mayTakeTime.add(raw.socket);
  raw.socket.setTimeout(idleLimitMs);
}

function countOf(now: number | undefined, before: number | undefined): number {
  return Math.max(0, (now ?? 0) - (before ?? 0));
}
