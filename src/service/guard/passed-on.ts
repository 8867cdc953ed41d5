import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { done, refused } from '../../core/result.ts';
import type { Arrival, ReadArrival } from './arrival.ts';

/**
 * The header with which a host that follows passes a call on to the leader: how the call arrived there, signed with the key of the
 * cluster for its method and its path. From anybody else it means nothing, and it is never sent on.
 */
export const passedOnHeader = 'rotavox-passed-on';

/**
 * The header of an answer of a host that got a call passed on and does not lead: it has done nothing, and the call
 * may be sent to the leader.
 */
export const notLeadingHeader = 'rotavox-not-leading';

/** How far the clocks of two hosts may differ, in milliseconds: a call with an older signature is refused. */
const maxSkewMs = 300_000;

interface Signed extends Arrival {
  readonly atMs: number;
}

interface Call {
  readonly method: string;
  readonly path: string;
}

/** The value of the header. */
export function signPassedOn(key: KeyObject, { method, path }: Call, arrival: Arrival, atMs: number): string {
  const { address, origin, isSecure, isOwner } = arrival;
  const facts = Buffer.from(JSON.stringify({ address, origin, isSecure, isOwner, atMs })).toString(
    'base64url',
  );
  return `${facts}.${macOf(key, { method, path }, facts).toString('base64url')}`;
}

/**
 * The arrival of a call that another host of the cluster passed on; null for every other call.
 *
 * One that was signed at another time is refused, not taken for a call of that host: its caller would then have that host's address.
 */
export function readPassedOn(
  key: KeyObject,
  { headers, method = '', url = '' }: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
  nowMs: number,
): ReadArrival | null {
  const value = headers[passedOnHeader];
  if (typeof value !== 'string') return null;
  const [facts = '', mac = ''] = value.split('.');
  const expected = macOf(key, { method, path: url }, facts);
  const presented = Buffer.from(mac, 'base64url');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
  const { atMs, ...arrival } = JSON.parse(Buffer.from(facts, 'base64url').toString()) as Signed;
  return Math.abs(nowMs - atMs) <= maxSkewMs ? done(arrival) : refused('clocks_differ');
}

function macOf(key: KeyObject, { method, path }: Call, facts: string): Buffer {
  return createHmac('sha256', key).update(`rotavox call\n${method}\n${path}\n${facts}`).digest();
}
