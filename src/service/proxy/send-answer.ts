/** The answer of a service as an app gets it: without what acts on this origin, without tokens, and in the end whole or visibly cut off. */
// see decisions/credential-proxy.md
import { pipeline, Readable, Transform } from 'node:stream';
import { type ProxyRefusalCode, proxyPath } from '../../contract/credential/proxy.ts';
import type { AllowedRequest } from '../../core/proxy/decide-request.ts';
import { OpenEnd } from '../../core/token/open-end.ts';
import { smallBytes } from '../guard/connections.ts';
import { type More, type ProxyCall, refuseCall, refuseProxied } from './answer-call.ts';
import { answerHeaders, type AnswerHeaders, formsOf } from './answer-headers.ts';
import { hostOf } from './outgoing-request.ts';
import type { ProxyUses, RunningRequest } from './proxy-use.ts';
import { hasToken, isSearchedType, searchedBody, TokenFound } from './search-answer.ts';
import type { Receiver, Sent, UpstreamExchange } from './upstream-exchange.ts';

/** How much of a body an app may not have read yet while more of it is received: with one more part it is what a stream is counted as. */
const mostBehindBytes = 64 * 1024;

/** Refuses a request of a known app. */
export function refuseRunning(
  call: ProxyCall,
  running: RunningRequest,
  code: ProxyRefusalCode,
  more: More = {},
): void {
  running.refusal = code;
  const { method = '' } = call.request;
  const { credential, app, route } = running.known;
  refuseProxied(call, code, { method, credential: credential.name, app: app.app, route, ...more });
}

export interface AnswerParts {
  readonly running: RunningRequest;
  readonly allowed: AllowedRequest;
  readonly uses: ProxyUses;
  /** Where the request is sent. */
  readonly baseUrl: string;
  /** This service, as the app called it. */
  readonly ownOrigin: () => string;
  /** Reports what is no failure of a service. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * Sends an answer to the app while it arrives, between undici and Node's own response.
 *
 * A body that nothing has to be searched for in goes through as the parts that were received; one that was received whole with its
 * headers goes out with them in one piece. Nothing of an answer is sent before the first part of its body is there, so that a service
 * that is lost before that can still be reported.
 */
export class AnswerSender implements Receiver {
  readonly #call: ProxyCall;
  readonly #parts: AnswerParts;
  /** Null until the call was sent. */
  exchange: UpstreamExchange | null = null;
  #status = 0;
  #headers: AnswerHeaders | null = null;
  /** Where the parts of a body go that is searched. */
  #searched: SearchedParts | null = null;
  /** A body that was received in one piece, until its end was, too. */
  #whole: Buffer | null = null;
  #isBegun = false;
  /** Answered otherwise: what still arrives is not sent on. */
  #isOver = false;

  constructor(call: ProxyCall, parts: AnswerParts) {
    this.#call = call;
    this.#parts = parts;
  }

  onAnswer(status: number, received: readonly Buffer[], { access, target }: Sent): void {
    const { running, allowed, ownOrigin } = this.#parts;
    running.generation = access.generation;
    const { token, baseUrl } = access;
    const headers = answerHeaders(received, {
      token,
      target,
      baseUrl,
      proxyPath: proxyPath(running.known.credential.name),
      ownOrigin,
      onReflected: (header) => this.#tellReflected(header),
    });
    // It has no body, and must not name the length of one (RFC 9110, section 8.6).
    if (status === 204) removeHeader(headers.list, 'content-length');
    this.#status = status;
    this.#headers = headers;
    if (status > 599) this.#withhold('connection_lost'); // no status of HTTP (RFC 9110, section 15)
    else if (allowed.searchedFor !== null && hasToken(headers.list.join('\n'), allowed.searchedFor))
      this.#withhold('token_in_answer');
    else if (allowed.isScrubbed || allowed.searchedFor !== null) this.#searchBody(headers, token);
  }

  onPart(part: Buffer): boolean {
    if (this.#isOver) return true;
    if (this.#searched !== null) return this.#searched.push(part);
    if (this.#isBegun) return this.#write(part);
    if (part.length === this.#headers?.length && part.length < smallBytes) {
      this.#whole = part;
      return true;
    }
    this.#begin();
    this.#call.connections.holdStream(this.#call.request.socket);
    this.#call.response.on('drain', () => this.exchange?.resume());
    return this.#write(part);
  }

  onEnd(): void {
    if (this.#isOver) return;
    if (this.#searched !== null) {
      this.#searched.push(null);
      return;
    }
    this.#isOver = true;
    const { response } = this.#call;
    if (!this.#isBegun) this.#begin();
    // As a text it is written with the headers; a buffer would be written after them.
    if (this.#whole === null) response.end();
    else response.end(this.#whole.toString('latin1'), 'latin1');
  }

  onLost(refusal: ProxyRefusalCode): void {
    if (this.#searched !== null && !this.#isOver) this.#searched.destroy(new AnswerLost(refusal));
    else this.#lose(refusal);
  }

  onFailure(error: unknown): void {
    this.#isOver = true;
    const { response, requestId } = this.#call;
    this.#parts.onFailure(error, requestId);
    // The app has to see that an answer that has begun is not whole.
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) refuseCall(this.#call, 'internal', { requestId });
  }

  #begin(): void {
    this.#isBegun = true;
    this.#call.begin(this.#status, this.#headers?.list ?? [], true);
  }

  #write(part: Buffer): boolean {
    const { response } = this.#call;
    // Most parts have gone to the system already: to wait for each would stop and start the reading of its service every time. What is
    // gone itself never drains; the exchange is being ended then.
    return response.write(part) || response.writableLength <= mostBehindBytes || response.destroyed;
  }

  /** Refuses the request instead of sending its answer on. */
  #withhold(code: ProxyRefusalCode): void {
    const { running, baseUrl } = this.#parts;
    this.#isOver = true;
    refuseRunning(this.#call, running, code, { service: hostOf(baseUrl) });
    this.exchange?.end();
  }

  #lose(code: ProxyRefusalCode): void {
    const { response } = this.#call;
    if (this.#isOver || response.destroyed) return;
    this.#isOver = true;
    const { running, baseUrl } = this.#parts;
    if (this.#isBegun) {
      // The app has to see that it is not whole.
      response.destroy();
      return;
    }
    const refusal = running.aborted ? 'unknown_app_token' : code;
    refuseRunning(this.#call, running, refusal, { service: hostOf(baseUrl) });
  }

  #tellReflected(header: string | null): void {
    const { uses, running } = this.#parts;
    const { credential, app } = running.known;
    uses.tellReflected(credential.id, app.app, header);
  }

  #searchBody(headers: AnswerHeaders, token: string): void {
    const { allowed, running } = this.#parts;
    const isScrubbed = allowed.isScrubbed && isTextType(headers.type);
    const searchedFor = isSearchedType(headers.type) ? allowed.searchedFor : null;
    if (this.#call.request.method === 'HEAD' || (!isScrubbed && searchedFor === null)) return;
    if ((headers.encoding ?? 'identity') !== 'identity') {
      this.#withhold('compressed');
      return;
    }
    const body = new SearchedParts(() => this.exchange);
    this.#searched = body;
    const searched = searchedFor === null ? body : searchedBody(body, searchedFor, isReadWhole(headers));
    searched.on('error', (error) => {
      if (error instanceof TokenFound) running.refusal = 'token_in_answer';
    });
    const cleaned = isScrubbed ? scrubbedBody(searched, token, () => this.#tellReflected(null)) : searched;
    this.#sendSearched(cleaned);
  }

  /** Sends a body once its first part or its end is there, or says that it was lost before that. */
  #sendSearched(body: Readable): void {
    const onLost = (error: Error): void => {
      this.#searched?.destroy();
      if (error instanceof TokenFound) this.#withhold('token_in_answer');
      else this.#lose(error instanceof AnswerLost ? error.refusal : 'connection_lost');
    };
    const begin = (): void => {
      body.off('error', onLost).off('readable', begin).off('end', begin);
      const { response, request, connections } = this.#call;
      this.#begin();
      connections.holdStream(request.socket);
      // What ends one of them ends the other.
      pipeline(body, response, () => undefined);
    };
    body.once('error', onLost).once('readable', begin).once('end', begin);
  }
}

/** Why the rest of a body that was being searched does not come. */
class AnswerLost extends Error {
  readonly refusal: ProxyRefusalCode;

  constructor(refusal: ProxyRefusalCode) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** The body of an answer as a stream. When it is destroyed before its end, so is its exchange. */
class SearchedParts extends Readable {
  readonly #exchange: () => UpstreamExchange | null;

  constructor(exchange: () => UpstreamExchange | null) {
    super();
    this.#exchange = exchange;
  }

  override _read(): void {
    this.#exchange()?.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.readableEnded && !(error instanceof AnswerLost)) this.#exchange()?.end();
    done(error);
  }
}

/** Whether an answer is one that a program reads when all of it is there: small, or JSON in one piece. */
function isReadWhole({ type, length }: AnswerHeaders): boolean {
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b/i.test(type ?? '');
  return isJson || (length ?? Infinity) < smallBytes;
}

/** Types of bodies that people and programs read as text; also without a type. */
export function isTextType(type: unknown): boolean {
  if (typeof type !== 'string') return true;
  return /^(?:text\/|application\/(?:.*\+)?(?:json|xml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|yaml|x-yaml|toml|graphql)\b)/i.test(
    type.trim(),
  );
}

const star = 0x2a;

/**
 * The body of an answer, in which every form of the token is replaced by as many asterisks, so that its length stays the same.
 *
 * It is searched as it arrives. Only an end that could be the beginning of a form is held back until more arrives, so events
 * are not delayed and memory does not grow with the body.
 */
export function scrubbedBody(body: Readable, token: string, onFound: () => void): Readable {
  const forms = formsOf(token).map((form) => Buffer.from(form));
  const openEnds = forms.map((form) => new OpenEnd(form));
  let held: Buffer = Buffer.alloc(0);
  let isFound = false;

  const clean = (bytes: Buffer): Buffer => {
    let cleaned = bytes;
    for (const form of forms) {
      for (let at = cleaned.indexOf(form); at >= 0; at = cleaned.indexOf(form, at + form.length)) {
        // A copy: others may have the bytes, too.
        if (cleaned === bytes) cleaned = Buffer.from(bytes);
        cleaned.fill(star, at, at + form.length);
        if (!isFound) onFound();
        isFound = true;
      }
    }
    return cleaned;
  };
  const scrubbing = new Transform({
    transform(part: Buffer, _encoding, done) {
      const bytes = clean(held.length === 0 ? part : Buffer.concat([held, part]));
      const end = bytes.length - Math.max(0, ...openEnds.map((one) => one.lengthIn(bytes)));
      held = bytes.subarray(end);
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
  });
  // What ends one of them ends the other; the reply sees it.
  pipeline(body, scrubbing, () => undefined);
  return scrubbing;
}

function removeHeader(list: string[], name: string): void {
  for (let at = list.length - 2; at >= 0; at -= 2) if (list[at] === name) list.splice(at, 2);
}
