import type { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { eventStreamPath } from '../../contract/address.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type { Arrival } from '../guard/arrival.ts';
import { endSoon } from '../../network/create-listener.ts';
import { type Connections, mayHaveLargeBody, smallBytes } from '../guard/connections.ts';
import { notLeadingHeader, passedOnHeader, signPassedOn } from '../guard/passed-on.ts';
import { hasBody, namesIn, withoutDestroy } from '../proxy/outgoing-request.ts';
import type { LeaderWatch } from './known-leader.ts';
import { LeaderConnections } from './leader-connections.ts';

export interface PassOnOptions {
  readonly leaders: LeaderWatch;
  /** The key of the cluster. */
  readonly key: KeyObject;
  readonly connections: Connections;
  /** Answers with a problem, in the shape of the path's family. */
  readonly refuse: (call: Call, problem: ProblemCode) => void;
  /** How long a call waits for a leader, in milliseconds, since it came. */
  readonly patienceMs: number;
}

/** A call of a caller of this host. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
  readonly requestId: string;
}

/** How long to wait before the same leader is tried again, when it could not be reached, in milliseconds. */
const retryMs = 100;
/** How long a host that no longer leads may still answer a call that cannot be sent again, in milliseconds. */
const lastAnswerMs = 1_000;

/** Headers of one connection (RFC 9110, section 7.6.1), and those that mean something between hosts only. */
const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'proxy-connection',
  'x-request-id',
  passedOnHeader,
  notLeadingHeader,
]);

/**
 * Passes calls on to the leader and its answers back.
 *
 * A call that was certainly not carried out is sent again, to the next leader if need be. So is one that may be carried out twice:
 * a safe method, or with an `Idempotency-Key`. Of any other call whose answer was lost the caller learns that its outcome is not
 * known (502). A body of at most 16 KiB is kept for this; a larger one goes through as it comes.
 */
// see decisions/team-host.md
export class PassOn {
  readonly #options: PassOnOptions;
  readonly #underWay = new Set<Passing>();
  readonly #stop: () => void;
  #to: LeaderConnections | null = null;
  #isClosed = false;

  constructor(options: PassOnOptions) {
    this.#options = options;
    this.#stop = options.leaders.onChange(() => {
      this.#dropOthers();
    });
  }

  /** How many calls are with the leader. */
  get size(): number {
    return this.#underWay.size;
  }

  pass(call: Call): void {
    const { request } = call;
    if (!hasBody(request)) new Passing(this, this.#options, { ...call, body: null }).begin();
    else if (mayHaveLargeBody(request)) {
      new Passing(this, this.#options, { ...call, body: withoutDestroy(request) }).begin();
    } else {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.once('end', () => {
        new Passing(this, this.#options, { ...call, body: Buffer.concat(parts) }).begin();
      });
    }
  }

  /** Ends what is under way as if the leader was lost, and then passes nothing on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    const to = this.#to;
    this.#to = null;
    for (const passing of this.#underWay) passing.give('no_leader');
    await to?.close();
  }

  /** The connections to the host that leads now; null while nobody does. */
  connections(): LeaderConnections | null {
    const { leader } = this.#options.leaders;
    if (leader === null || this.#isClosed) return null;
    if (this.#to?.continueTo(leader) === true) return this.#to;
    void this.#to?.close();
    this.#to = new LeaderConnections(leader);
    return this.#to;
  }

  add(passing: Passing): void {
    this.#underWay.add(passing);
  }

  remove(passing: Passing): void {
    this.#underWay.delete(passing);
  }

  /** A host that was deposed may never answer: what is still with it is settled now. */
  #dropOthers(): void {
    const { leader } = this.#options.leaders;
    const { host } = this.#to?.leader ?? {};
    if (leader === null || host === undefined || host === leader.host) return;
    const to = this.#to;
    this.#to = null;
    for (const passing of this.#underWay) passing.leave();
    setTimeout(() => void to?.close(), lastAnswerMs).unref();
  }
}

interface KeptCall extends Call {
  /** Null without one; the stream when it is too large to be kept. */
  readonly body: Buffer | IncomingMessage | null;
}

/** One call on its way, through as many attempts as it takes. */
class Passing {
  readonly call: KeptCall;
  readonly #home: PassOn;
  readonly #options: PassOnOptions;
  readonly #endsAt: number;
  #attempt: Attempt | null = null;
  #isOver = false;
  #timer: NodeJS.Timeout | null = null;
  #stopWaiting: (() => void) | null = null;

  constructor(home: PassOn, options: PassOnOptions, call: KeptCall) {
    this.#home = home;
    this.#options = options;
    this.call = call;
    this.#endsAt = performance.now() + options.patienceMs;
  }

  begin(): void {
    this.#home.add(this);
    this.call.response.once('close', () => {
      this.end();
    });
    this.#send();
  }

  /** Its caller has authenticated, as the answer shows. */
  trust(): void {
    const { headers, socket } = this.call.request;
    if (headers.authorization !== undefined) this.#options.connections.trust(socket, 'token');
  }

  /** Ends a call that got no answer yet, with a problem; one that got part of its answer ends with its connection. */
  give(problem: ProblemCode): void {
    if (this.#isOver) return;
    const { response } = this.call;
    this.end();
    if (response.headersSent) response.destroy();
    else this.#options.refuse(this.call, problem);
  }

  /** The host that has it leads no more. */
  leave(): void {
    const { request, response } = this.call;
    if (this.#attempt === null) return;
    if (response.headersSent) {
      if (isStream(request)) this.give('no_leader');
    } else if (!this.#attempt.isSent || this.isRepeatable()) {
      this.#attempt.drop();
      this.again();
    }
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#home.remove(this);
    this.#attempt?.drop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stopWaiting?.();
  }

  /** There will be no answer from the host that was asked. */
  lost({ isSent }: { readonly isSent: boolean }): void {
    if (this.call.response.headersSent) this.give('outcome_unknown');
    else if (!isSent || this.isRepeatable()) this.again();
    else this.give('outcome_unknown');
  }

  /** Sends it again when another host leads, or after a moment. */
  again(): void {
    this.#attempt = null;
    const { body, request } = this.call;
    const isBodyGone = body !== null && !Buffer.isBuffer(body) && request.readableDidRead;
    if (isBodyGone) this.give('no_leader');
    else this.#wait(retryMs);
  }

  #send(): void {
    if (this.#isOver) return;
    const to = this.#home.connections();
    if (to === null) {
      this.#wait(this.#options.patienceMs);
      return;
    }
    const { request, arrival, requestId, body } = this.call;
    const { method = 'GET', url: path = '/' } = request;
    const { host: receiver } = to.leader;
    const sent = { method, path, receiver, body: signedBody(body) };
    const signed = signPassedOn(this.#options.key, sent, arrival, Date.now());
    const headers = headersOf(request, arrival.isOwner);
    headers.push('x-request-id', requestId, passedOnHeader, signed);
    this.#attempt = new Attempt(this);
    to.dispatch({ method, path, headers, body }, this.#attempt);
  }

  #wait(longestMs: number): void {
    const left = this.#endsAt - performance.now();
    if (left <= 0) {
      this.give('no_leader');
      return;
    }
    const again = (): void => {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#stopWaiting?.();
      this.#stopWaiting = null;
      this.#send();
    };
    this.#timer = setTimeout(again, Math.min(longestMs, left));
    this.#stopWaiting = this.#options.leaders.onChange(again);
  }

  isRepeatable(): boolean {
    const { request, body } = this.call;
    if (body !== null && !Buffer.isBuffer(body)) return false;
    const { method, headers } = request;
    return method === 'GET' || method === 'HEAD' || headers['idempotency-key'] !== undefined;
  }
}

/**
 * A call at one host. What that host says goes to the caller, until the attempt is dropped.
 *
 * By the callbacks that undici 7 calls deprecated: they have the headers as they came, which is how they are sent on.
 */
class Attempt implements Dispatcher.DispatchHandler {
  /** Whether it may have been carried out. */
  isSent = false;
  readonly #passing: Passing;
  #abort: (() => void) | null = null;
  #resume: (() => void) | null = null;
  #isDropped = false;
  /** That host does not lead. */
  #isRefused = false;
  /** How long the body is, as the answer says. */
  #length: number | null = null;
  /** A body that came in one part. It leaves in one piece with its headers. */
  #whole: Buffer | null = null;

  constructor(passing: Passing) {
    this.#passing = passing;
  }

  drop(): void {
    this.#isDropped = true;
    this.#abort?.();
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#isDropped) abort();
    else this.isSent = true;
  }

  onHeaders(status: number, received: readonly Buffer[], resume: () => void, message: string): boolean {
    if (this.#isDropped || status < 200) return true;
    this.#resume = resume;
    const { list, isNotLeading, length } = answerHeaders(received);
    // 408: it did not arrive there in time, as when that host was halted. An attempt before it may have been carried out, so the caller
    // must not learn that it was refused.
    const isLate = status === 408 && this.#passing.isRepeatable();
    // 421: another process listens at its address, such as that of the same host after a restart, and has done nothing with a call that
    // was signed for the one before (RFC 9110, section 15.5.20).
    const isMisdirected = status === 421;
    if (isLate || isMisdirected || (status === 503 && isNotLeading)) {
      this.#isRefused = true;
      return true;
    }
    const { request, response, requestId } = this.#passing.call;
    if (status < 400) this.#passing.trust();
    list.push('x-request-id', requestId);
    if (!request.complete && mayHaveLargeBody(request)) {
      // Its caller has its answer: the rest of the body may never be read.
      list.push('connection', 'close');
      request.socket.destroySoon = () => {
        endSoon(request.socket);
      };
    }
    this.#length = length;
    response.writeHead(status, message, list);
    return true;
  }

  onData(part: Buffer): boolean {
    if (this.#isDropped || this.#isRefused) return true;
    if (part.length === this.#length && part.length < smallBytes) {
      this.#whole = part;
      return true;
    }
    const { response } = this.#passing.call;
    if (response.write(part)) return true;
    response.once('drain', () => this.#resume?.());
    return false;
  }

  onComplete(): void {
    if (this.#isDropped) return;
    if (this.#isRefused) {
      this.#passing.again();
      return;
    }
    const { response } = this.#passing.call;
    this.#abort = null;
    this.#resume = null;
    this.#passing.end();
    // As a text it is written with the headers; a buffer would be written after them.
    if (this.#whole === null) response.end();
    else response.end(this.#whole.toString('latin1'), 'latin1');
  }

  onError(): void {
    if (this.#isDropped) return;
    if (this.#isRefused) this.#passing.again();
    else this.#passing.lost({ isSent: this.isSent });
  }
}

/** The headers of an answer as its caller gets them: names and values in turn, each byte a character, as Node writes it. */
function answerHeaders(received: readonly Buffer[]): {
  readonly list: string[];
  readonly isNotLeading: boolean;
  readonly length: number | null;
} {
  const list: string[] = [];
  let isNotLeading = false;
  let length: number | null = null;
  for (let place = 1; place < received.length; place += 2) {
    const name = (received[place - 1]?.toString('latin1') ?? '').toLowerCase();
    if (name === notLeadingHeader) isNotLeading = true;
    if (dropped.has(name)) continue;
    const value = received[place]?.toString('latin1') ?? '';
    if (name === 'content-length') length = Number(value);
    list.push(name, value);
  }
  return { list, isNotLeading, length };
}

/** What may be sent again was kept; the rest nobody knows before it has gone through. */
function signedBody(body: KeptCall['body']): Buffer | null | undefined {
  if (body === null) return undefined;
  return Buffer.isBuffer(body) ? body : null;
}

function isStream({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && url.split('?', 1)[0] === eventStreamPath;
}

/** The headers of a call as they came, without those of the connection. An owner whom this host has recognised needs no key there. */
function headersOf({ rawHeaders, headers }: IncomingMessage, isOwner: boolean): string[] {
  const named = namesIn(headers.connection ?? '');
  const kept: string[] = [];
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? '';
    const lower = name.toLowerCase();
    if (dropped.has(lower) || named.has(lower) || (isOwner && lower === 'authorization')) continue;
    kept.push(name, rawHeaders[place + 1] ?? '');
  }
  return kept;
}
