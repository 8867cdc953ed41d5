/**
 * `ANY /proxy/<credential>/<path>`: sends the request of an app to the service of a credential, with the credential's token, in three
 * pieces: admit (`admit-request.ts`), call the service (`upstream-caller.ts`), answer (`send-answer.ts`).
 *
 * Bodies are never read here: they are streamed in both directions.
 */
// see decisions/credential-proxy.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { proxyMethods } from '../../contract/credential/proxy.ts';
import { invariant, unreachable } from '../../core/unreachable.ts';
import { credentialRefusalText } from '../../text/credential/credential-refusal-text.ts';
import { defaultThrottleLimits, FailureThrottle } from '../guard/failure-throttle.ts';
import type { ServiceContext } from '../service-context.ts';
import { admitRequest, type KnownRequest, safeMethods } from './admit-request.ts';
import { askForText, outgoingHeaders, outgoingQuery, takeTime, withoutDestroy } from './outgoing-request.ts';
import type { ProxyUses, RunningRequest } from './proxy-use.ts';
import { refuseLost, refuseProxied, refuseRunning, sendAnswer } from './send-answer.ts';
import type { UpstreamCaller, UpstreamOptions } from './upstream-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    proxied: RunningRequest | null;
  }
}

const allMethods = [...proxyMethods, 'OPTIONS', 'TRACE'];
/** How often a credential is inspected because its service refused a request, in milliseconds. */
const inspectedEveryMs = 30_000;

export function addProxy(
  app: FastifyInstance,
  context: ServiceContext,
  { uses, upstream }: { readonly uses: ProxyUses; readonly upstream: UpstreamOptions },
): void {
  const { ledger, clock, credentialAgent, connections } = context;
  const throttle = new FailureThrottle(defaultThrottleLimits, clock);
  const inspected = new Map<string, number>();
  let opening: Promise<UpstreamCaller> | null = null;
  app.addHook('onClose', async () => (await opening)?.close());

  app.decorateRequest('proxied', null);
  // Nothing of a body is read before the request is allowed, and all of it is sent on as it arrives.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    done(null, withoutDestroy(payload));
  });
  // The framework reports every answer that breaks off, which is not our failure.
  const silent = app.log.child({}, { level: 'silent' });
  app.setChildLoggerFactory(() => silent);

  for (const url of ['/proxy/:credential', '/proxy/:credential/*']) {
    app.route({
      method: allMethods,
      url,
      exposeHeadRoute: false,
      config: { family: 'proxy' },
      onRequest: (request, reply, next) => {
        if (admit(request, reply)) next();
      },
      // Not a promise: the framework would wait for the end of the answer, which costs more than some of our checks.
      handler: (request, reply) => {
        sendOn(request, reply).catch((error: unknown) => reply.send(error));
      },
    });
  }

  /** Whether a request may be sent on; otherwise it has been refused. Nothing is awaited. */
  function admit(request: FastifyRequest, reply: FastifyReply): boolean {
    const { raw, arrival } = request;
    const { method = '', url = '', headers } = raw;
    const admission = admitRequest(ledger.state, { method, url, headers, origin: arrival.origin }, clock());
    switch (admission.kind) {
      case 'refused':
        refuseProxied(reply, admission.refusal, { method });
        return false;
      case 'unknown': {
        const wait = throttle.fail(arrival.address, '');
        if (wait > 0) refuseProxied(reply, 'too_many_failures', { retryAfterSeconds: wait });
        else refuseProxied(reply, admission.refusal);
        return false;
      }
      case 'elsewhere':
        connections.trust(raw.socket, 'token');
        refuseProxied(reply, 'other_credential', { credential: nameIn(request) });
        return false;
      case 'known':
        connections.trust(raw.socket, 'token');
        return begin(request, reply, admission.request);
      default:
        return unreachable(admission);
    }
  }

  function begin(request: FastifyRequest, reply: FastifyReply, known: KnownRequest): boolean {
    const running = uses.begin(known, request.raw, reply.raw);
    request.proxied = running;
    if (!known.decided.ok) {
      refuseRunning(reply, running, known.decided.refusal);
      return false;
    }
    const begun = uses.limits.begin(known.app, clock());
    if (!begun.ok) {
      const { code, retryAfterSeconds } = begun.refusal;
      refuseRunning(reply, running, code, { retryAfterSeconds });
      return false;
    }
    running.isCounted = true;
    return true;
  }

  async function sendOn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw, proxied: running } = request;
    invariant(running?.known.decided.ok === true, 'a request is admitted before it is sent on');
    const { value: allowed } = running.known.decided;
    const { credential } = running.known;
    // Loaded for the first request of an app: that takes as long as loading the rest of the service.
    opening ??= openCaller();
    const caller = await opening;
    const accessed = await credentialAgent.accessFor(credential.name);
    if (!accessed.ok) {
      const { problem, reason } = accessed.refusal;
      const code = problem === 'vault_unavailable' ? 'vault_unavailable' : 'unusable';
      if (reason.code === 'rotation_open')
        refuseRunning(reply, running, 'rotating', { retryAfterSeconds: 1 });
      else refuseRunning(reply, running, code, { because: credentialRefusalText(reason) });
      return;
    }
    const access = accessed.value;
    if (running.aborted) {
      access.settle();
      refuseRunning(reply, running, 'unknown_app_token');
      return;
    }
    running.generation = access.generation;
    takeTime(raw);
    const { method = '' } = raw;
    const headers = outgoingHeaders(raw.headers);
    if (allowed.isScrubbed || allowed.searchedFor !== null) askForText(headers);
    const answered = await caller.call(
      {
        credential: credential.name,
        method,
        path: allowed.path.raw,
        query: outgoingQuery(allowed.path.query),
        headers,
        body: (request.body as IncomingMessage | undefined) ?? null,
        isPrivateAllowed: allowed.isPrivateAllowed,
        isRepeatable: safeMethods.has(method),
        signal: running,
      },
      access,
    );
    if (!answered.ok) {
      refuseLost(reply, running, answered.refusal, access.baseUrl);
      return;
    }
    running.generation = answered.value.access.generation;
    sendAnswer(reply, answered.value, { running, allowed, uses, ownOrigin: () => context.publicUrl() });
  }

  async function openCaller(): Promise<UpstreamCaller> {
    const { UpstreamCaller: Caller } = await import('./upstream-caller.ts');
    return new Caller(credentialAgent, upstream, inspect);
  }

  /** A service that refuses a token which is still the current one: it may have been revoked there. */
  function inspect(name: string): void {
    const nowMs = clock();
    if (nowMs - (inspected.get(name) ?? -Infinity) < inspectedEveryMs) return;
    inspected.set(name, nowMs);
    credentialAgent.testCredential(name).catch((error: unknown) => {
      app.log.error({ err: error });
    });
  }
}

function nameIn({ params }: FastifyRequest): string {
  return String((params as Readonly<Record<string, unknown>>)['credential']).slice(0, 63);
}
