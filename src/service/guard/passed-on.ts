import { createHmac, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { done, refused } from '../../core/result.ts';
import type { Arrival, ReadArrival } from './arrival.ts';
import { refuse } from '../http/refuse.ts';
import { mayHaveLargeBody } from './connections.ts';

/**
 * The header with which a host that follows passes a call on to the leader: how the call arrived there, signed with the key of the
 * cluster for its receiver, its method, its path and its body. It counts once. From anybody else it means nothing, and it is never
 * sent on.
 */
export const passedOnHeader = 'rotavox-passed-on';

/**
 * The header of an answer of a host that got a call passed on and does not lead: it has done nothing, and the call
 * may be sent to the leader.
 */
export const notLeadingHeader = 'rotavox-not-leading';

/** How far the clocks of two hosts may differ, in milliseconds: a call with an older signature is refused. */
const maxSkewMs = 300_000;
/** How many calls of a sender may overtake one of its calls. */
const mostOvertaking = 10_000;

interface Signed extends Omit<Arrival, 'bodyDigest'> {
  readonly atMs: number;
  /** Of whoever passed it on: each number once. */
  readonly sender: string;
  readonly number: number;
  /** Null for one that is sent on as it comes. */
  readonly bodyDigest: string | null;
}

/** A call as it is passed on. */
interface Call {
  readonly method: string;
  readonly path: string;
  /** The id of the process that is to answer it. */
  readonly receiver?: string;
  /** `null`: it is sent on as it comes, and nobody knows it yet. Default: without one. */
  readonly body?: Buffer | null | undefined;
}

const sender = randomBytes(9).toString('base64url');
let lastNumber = 0;

/** The value of the header. */
export function signPassedOn(
  key: KeyObject,
  { method, path, receiver = '', body }: Call,
  arrival: Arrival,
  atMs: number,
): string {
  const { address, origin, isSecure, isOwner } = arrival;
  const bodyDigest = body === null ? null : digestOf(body ?? Buffer.alloc(0));
  const number = (lastNumber += 1);
  const signed: Signed = { address, origin, isSecure, isOwner, atMs, sender, number, bodyDigest };
  const facts = Buffer.from(JSON.stringify(signed)).toString('base64url');
  return `${facts}.${macOf(key, { method, path, receiver }, facts).toString('base64url')}`;
}

/** The calls that other hosts of the cluster pass on to this one. */
export class PassedOnCalls {
  readonly #key: KeyObject;
  readonly #receiver: string;
  readonly #senders = new Map<string, Sender>();
  readonly #known = new WeakMap<Pick<IncomingMessage, 'headers'>, ReadArrival | null>();

  /** `receiver`: the id of this process, by which the others know it. */
  constructor(key: KeyObject, receiver: string) {
    this.#key = key;
    this.#receiver = receiver;
  }

  /**
   * The arrival of a call that another host passed on; null for every other call. The same for the same request.
   *
   * One that was signed at another time, or came before, is refused, not taken for a call of that host: its caller would then have that
   * host's address.
   */
  read(request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>, nowMs: number): ReadArrival | null {
    let read = this.#known.get(request);
    if (read === undefined) this.#known.set(request, (read = this.#read(request, nowMs)));
    return read;
  }

  #read(
    { headers, method = '', url = '' }: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
    nowMs: number,
  ): ReadArrival | null {
    const value = headers[passedOnHeader];
    if (typeof value !== 'string') return null;
    const [facts = '', mac = ''] = value.split('.');
    const expected = macOf(this.#key, { method, path: url, receiver: this.#receiver }, facts);
    const presented = Buffer.from(mac, 'base64url');
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
    const signed = JSON.parse(Buffer.from(facts, 'base64url').toString()) as Signed;
    if (Math.abs(nowMs - signed.atMs) > maxSkewMs) return refused('clocks_differ');
    if (!this.#isFirst(signed, nowMs)) return refused('passed_on_twice');
    const { address, origin, isSecure, isOwner, bodyDigest } = signed;
    return done({ address, origin, isSecure, isOwner, ...(bodyDigest === null ? {} : { bodyDigest }) });
  }

  #isFirst({ sender: name, number, atMs }: Signed, nowMs: number): boolean {
    let known = this.#senders.get(name);
    if (known === undefined) {
      // What they signed is refused by its time.
      for (const [other, { lastAtMs }] of this.#senders)
        if (nowMs - lastAtMs > 2 * maxSkewMs) this.#senders.delete(other);
      this.#senders.set(name, (known = new Sender()));
    }
    return known.take(number, atMs);
  }
}

/** The numbers that came from one host, as far as they could come again. */
class Sender {
  lastAtMs = -Infinity;
  #highest = 0;
  readonly #seen = new Set<number>();

  /** Whether it is the first time. */
  take(number: number, atMs: number): boolean {
    if (number <= this.#highest - mostOvertaking || this.#seen.has(number)) return false;
    this.#seen.add(number);
    this.lastAtMs = Math.max(this.lastAtMs, atMs);
    if (number > this.#highest) {
      // Each number is removed once, so this costs no more than adding it did.
      const until = number - mostOvertaking;
      if (until - this.#highest > mostOvertaking) this.#seen.clear();
      else for (let old = this.#highest - mostOvertaking; old <= until; old += 1) this.#seen.delete(old);
      this.#seen.add(number);
      this.#highest = number;
    }
    return true;
  }
}

/** Refuses a call whose body is not the one that was signed. */
export function checkPassedOnBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, next) => {
    const { bodyDigest } = request.arrival;
    if (bodyDigest === undefined) {
      next(null, payload);
      return;
    }
    readSignedBody(request.raw, bodyDigest).then((body) => {
      if (body === null) refuse(reply, 'passed_on_changed');
      else next(null, new KeptBody(body));
    }, next);
  });
}

/** A body that was read already, as the framework takes it. */
class KeptBody extends Readable {
  readonly receivedEncodedLength: number;

  constructor(body: Buffer) {
    super();
    this.receivedEncodedLength = body.length;
    if (body.length > 0) this.push(body);
    this.push(null);
  }
}

/** The body of a call that another host passed on; null if it is not the one that was signed. */
export async function readSignedBody(request: IncomingMessage, bodyDigest: string): Promise<Buffer | null> {
  // A host signs no body that is large.
  const body = mayHaveLargeBody(request) ? Buffer.alloc(0) : await bodyOf(request);
  return digestOf(body) === bodyDigest ? body : null;
}

/** By its events: a loop over a stream takes several times as long as the rest of a call's checks. */
function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => resolve(Buffer.concat(parts)));
  request.once('error', reject);
  // Of one that is gone already, nothing comes any more.
  const gone = (): void => reject(new Error('CLOSED'));
  request.once('close', gone);
  if (request.destroyed) gone();
  return promise;
}

function digestOf(body: Buffer): string {
  return hash('sha256', body, 'base64url');
}

function macOf(
  key: KeyObject,
  { method, path, receiver }: Required<Pick<Call, 'method' | 'path' | 'receiver'>>,
  facts: string,
): Buffer {
  return createHmac('sha256', key).update(`rotavox call\n${receiver}\n${method}\n${path}\n${facts}`).digest();
}
