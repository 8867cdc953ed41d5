import { timingSafeEqual } from 'node:crypto';
import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/ledger.ts';
import { refuse } from '../refuse.ts';
import { digestOf, mintToken } from '../secrets/token-value.ts';
import { readBearer } from './read-bearer.ts';

/** How long a sign-in link may be used, in seconds. */
export const signInSeconds = 300;
const maxOpenCodes = 100;
const maxSessions = 1000;

/**
 * Who the owner is: the CLI by the portal key, a window by a cookie, a browser by a link that works once.
 *
 * Key, codes and sessions live in memory and end with the process; only digests of them are kept.
 */
export class PortalSessions {
  /** Goes into `runtime.json` (0600) and nowhere else. */
  readonly portalKey: string;
  readonly #keyDigest: Buffer;
  readonly #clock: Clock;
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Set<string>();

  constructor(clock: Clock) {
    const key = mintToken('portal');
    this.portalKey = key.value;
    this.#keyDigest = Buffer.from(key.digest);
    this.#clock = clock;
  }

  /** A code for one sign-in within five minutes. */
  createCode(): string {
    const { value, digest } = mintToken('signIn');
    if (this.#codes.size >= maxOpenCodes) forgetOldest(this.#codes);
    this.#codes.set(digest, this.#clock() + signInSeconds * 1000);
    return value;
  }

  /** A session for a code that is used for the first time and in time; otherwise null. */
  redeemCode(code: string): string | null {
    const digest = digestOf(code);
    const untilMs = this.#codes.get(digest);
    this.#codes.delete(digest);
    return untilMs !== undefined && this.#clock() < untilMs ? this.createSession() : null;
  }

  /** The value of a window's cookie. */
  createSession(): string {
    const { value, digest } = mintToken('session');
    if (this.#sessions.size >= maxSessions) forgetOldest(this.#sessions);
    this.#sessions.add(digest);
    return value;
  }

  isOwner(request: FastifyRequest): boolean {
    const key = readBearer(request.headers.authorization);
    if (key !== null) return timingSafeEqual(Buffer.from(digestOf(key)), this.#keyDigest);
    const session = request.cookies[sessionCookieName(request.raw.socket.localPort)];
    return session !== undefined && this.#sessions.has(digestOf(session));
  }

  /** A hook for the owner's routes. */
  guard = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (this.isOwner(request)) next();
    else refuse(reply, 'not_signed_in');
  };
}

/** Browsers keep one set of cookies for all ports of a host, so the name carries the port. */
export function sessionCookieName(port: number | undefined): string {
  return `rotavox_${port ?? 0}`;
}

export const sessionCookieOptions = { path: '/', httpOnly: true, sameSite: 'strict' } as const;

function forgetOldest(kept: Set<string> | Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
