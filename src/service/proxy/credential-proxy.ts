/**
 * `ANY /proxy/<credential>/<path>`: sends the request of an app to the service of a credential, with the credential's token, in three
 * pieces: admit (`admit-request.ts`), call the service (`upstream-caller.ts`), answer (`send-answer.ts`).
 *
 * It works on Node's own requests, beside the framework: routing, hooks and replies of the framework took longer than everything that
 * is checked here. Bodies are streamed in both directions.
 */
// see decisions/credential-proxy.md
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AllowedRequest } from '../../core/proxy/decide-request.ts';
import { StoreUnavailable } from '../../core/ledger.ts';
import { unreachable } from '../../core/unreachable.ts';
import { credentialRefusalText } from '../../text/credential/credential-refusal-text.ts';
import type { Arrival, Arrivals } from '../guard/arrival.ts';
import { defaultThrottleLimits, FailureThrottle } from '../guard/failure-throttle.ts';
import { problemOfRequest } from '../guard/host-and-origin.ts';
import { notLeadingHeader, readSignedBody } from '../guard/passed-on.ts';
import { unavailableProblem } from '../http/handle-error.ts';
import type { RequestLog } from '../http/logger-options.ts';
import type { ServiceContext } from '../service-context.ts';
import { admitRequest, type KnownRequest, safeMethods } from './admit-request.ts';
import { ProxyCall, refuseCall, refuseProxied } from './answer-call.ts';
import { hasBody, outgoingHeaders, outgoingQuery, takeTime, withoutDestroy } from './outgoing-request.ts';
import type { ProxyUses, RunningRequest } from './proxy-use.ts';
import { type AnswerParts, AnswerSender, refuseRunning } from './send-answer.ts';
import type { UpstreamCaller, UpstreamOptions } from './upstream-caller.ts';

const proxyRoot = '/proxy/';
const route = '/proxy/:credential/*';
/** How often a credential is inspected because its service refused a request, in milliseconds. */
const inspectedEveryMs = 30_000;

/** Whether a request is one of the proxy, however its address writes that: all others may be answered without these rules. */
export function isProxied(url: string): boolean {
  if (url.startsWith(proxyRoot)) return true;
  const [, first = '', rest] = url.split('/', 3);
  return rest !== undefined && first.includes('%') && decoded(first) === 'proxy';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface ProxyOptions {
  readonly uses: ProxyUses;
  readonly upstream: UpstreamOptions;
  readonly arrivals: Arrivals;
  readonly requestLog: RequestLog;
  /** Reports what no caller is to blame for. */
  readonly onFailure: (error: unknown, requestId: string | null) => void;
}

export class CredentialProxy {
  readonly #context: ServiceContext;
  readonly #options: ProxyOptions;
  readonly #throttle: FailureThrottle;
  readonly #answering: Pick<AnswerParts, 'uses' | 'ownOrigin' | 'onFailure'>;
  /** When a credential was inspected last. */
  readonly #inspected = new Map<string, number>();
  #opening: Promise<UpstreamCaller> | null = null;
  #caller: UpstreamCaller | null = null;

  constructor(context: ServiceContext, options: ProxyOptions) {
    this.#context = context;
    this.#options = options;
    this.#throttle = new FailureThrottle(defaultThrottleLimits, context.clock);
    const { uses, onFailure } = options;
    this.#answering = { uses, ownOrigin: context.publicUrl, onFailure };
  }

  /** Answers a request. Throws, or rejects, only what is a bug. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const call = new ProxyCall(request, response, this.#context.connections);
    if (this.#options.requestLog.isOn) this.#tellAnswer(call);
    const arrived = this.#options.arrivals.read(request);
    if (!arrived.ok) {
      refuseCall(call, arrived.refusal);
      return undefined;
    }
    const { value: arrival } = arrived;
    call.arrival = arrival;
    const problem = problemOfRequest(request, arrival, isNever);
    if (problem !== null) {
      refuseCall(call, problem);
      return undefined;
    }
    if (!this.#isCurrent(call)) return undefined;
    return this.#admit(call, arrival);
  }

  /** Ends what is still under way, too. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  #tellAnswer({ request, response, requestId }: ProxyCall): void {
    const { requestLog, arrivals } = this.#options;
    const beganAt = performance.now();
    response.on('close', () => {
      const arrived = arrivals.read(request);
      requestLog.tell({
        requestId,
        method: request.method ?? '',
        route,
        status: response.statusCode,
        ms: performance.now() - beganAt,
        address: arrived.ok ? arrived.value.address : undefined,
      });
    });
  }

  /** Whether the state is that of the host that leads; otherwise the call has been refused. */
  #isCurrent(call: ProxyCall): boolean {
    try {
      this.#context.ledger.assertCurrent();
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const { problem, isForLeader } = unavailableProblem(error, call.request.headers);
      const { requestId } = call;
      refuseCall(
        call,
        problem,
        { requestId, retryAfterSeconds: 1 },
        isForLeader ? [notLeadingHeader, '1'] : [],
      );
      return false;
    }
  }

  /** Sends a request on if it may be; otherwise it is refused at once. */
  #admit(call: ProxyCall, { origin, address }: Arrival): Promise<void> | undefined {
    const { ledger, clock, connections } = this.#context;
    const { request } = call;
    const { method = '', url = '', headers, socket } = request;
    const admission = admitRequest(ledger.state, { method, url, headers, origin }, clock());
    switch (admission.kind) {
      case 'refused':
        refuseProxied(call, admission.refusal, { method });
        return undefined;
      case 'unknown': {
        const wait = this.#throttle.fail(address, '');
        if (wait > 0) refuseProxied(call, 'too_many_failures', { retryAfterSeconds: wait });
        else refuseProxied(call, admission.refusal);
        return undefined;
      }
      case 'elsewhere':
        connections.trust(socket, 'token');
        refuseProxied(call, 'other_credential', { credential: nameIn(url) });
        return undefined;
      case 'known': {
        connections.trust(socket, 'token');
        const { request: known } = admission;
        const running = this.#options.uses.begin(known, request, call.response);
        const allowed = this.#begin(call, running, known);
        return allowed === null ? undefined : this.#sendOn(call, running, allowed);
      }
      default:
        return unreachable(admission);
    }
  }

  /** What is allowed of a request, which counts from here on; null: it has been refused. */
  #begin(call: ProxyCall, running: RunningRequest, { app, decided }: KnownRequest): AllowedRequest | null {
    if (!decided.ok) {
      refuseRunning(call, running, decided.refusal);
      return null;
    }
    const begun = this.#options.uses.limits.begin(app, this.#context.clock());
    if (!begun.ok) {
      const { code, retryAfterSeconds } = begun.refusal;
      refuseRunning(call, running, code, { retryAfterSeconds });
      return null;
    }
    running.isCounted = true;
    return decided.value;
  }

  async #sendOn(call: ProxyCall, running: RunningRequest, allowed: AllowedRequest): Promise<void> {
    const { credential } = running.known;
    const { request } = call;
    const digest = call.arrival?.bodyDigest;
    let body: IncomingMessage | Buffer | null;
    if (digest === undefined) body = hasBody(request) ? withoutDestroy(request) : null;
    else {
      body = await readSignedBody(request, digest);
      if (body === null) {
        refuseCall(call, 'passed_on_changed');
        return;
      }
    }
    // Loaded for the first request of an app: that takes as long as loading the rest of the service.
    const caller = this.#caller ?? (await (this.#opening ??= this.#openCaller()));
    const accessed = await this.#context.credentialAgent.accessFor(credential.name);
    if (!accessed.ok) {
      const { problem, reason } = accessed.refusal;
      const code = problem === 'vault_unavailable' ? 'vault_unavailable' : 'unusable';
      if (reason.code === 'rotation_open') refuseRunning(call, running, 'rotating', { retryAfterSeconds: 1 });
      else refuseRunning(call, running, code, { because: credentialRefusalText(reason) });
      return;
    }
    const access = accessed.value;
    if (running.aborted) {
      access.settle();
      if (!call.response.destroyed) refuseRunning(call, running, 'unknown_app_token');
      return;
    }
    running.generation = access.generation;
    takeTime(request);
    const { method = '' } = request;
    // No function is made here: it would keep everything that is named here, and so each request would keep the one before.
    const sender = new AnswerSender(call, { ...this.#answering, running, allowed, baseUrl: access.baseUrl });
    sender.exchange = caller.send(
      {
        credential: credential.name,
        method,
        path: allowed.path.raw,
        query: outgoingQuery(allowed.path.query),
        headers: outgoingHeaders(request.headers, allowed.isScrubbed || allowed.searchedFor !== null),
        body,
        isPrivateAllowed: allowed.isPrivateAllowed,
        isRepeatable: safeMethods.has(method),
      },
      access,
      sender,
    );
    running.sent = sender.exchange;
  }

  async #openCaller(): Promise<UpstreamCaller> {
    const { UpstreamCaller: Caller } = await import('./upstream-caller.ts');
    const { upstream } = this.#options;
    this.#caller = new Caller(this.#context.credentialAgent, upstream, (name) => this.#inspect(name));
    return this.#caller;
  }

  /** A service that refuses a token which is still the current one: it may have been revoked there. */
  #inspect(name: string): void {
    const nowMs = this.#context.clock();
    if (nowMs - (this.#inspected.get(name) ?? -Infinity) < inspectedEveryMs) return;
    this.#inspected.set(name, nowMs);
    this.#context.credentialAgent.testCredential(name).catch((error: unknown) => {
      this.#options.onFailure(error, null);
    });
  }
}

/** A link on another site opens no answer of a service. */
function isNever(): boolean {
  return false;
}

function nameIn(url: string): string {
  return decoded(url.split(/[/?]/, 3)[2] ?? '').slice(0, 63);
}
