import { timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageKeyHeader } from '../../contract/address.ts';
import { sessionIdleHours, type SignInProof } from '../../contract/portal.ts';
import type { Clock } from '../../core/ledger.ts';
import { refuse } from '../refuse.ts';
import { digestOf, mintToken } from '../secrets/token-value.ts';
import { readBearer } from './bearer-gate.ts';
import { type BrowserList, KnownBrowsers } from './known-browsers.ts';
import { OneTimeCodes } from './one-time-codes.ts';

/** How long a sign-in link may be used, in seconds, and then how long the page has until its first call. */
export const signInSeconds = 300;
const maxSessions = 1000;

interface Session {
  /** Whether it is for windows of the desktop app: it has no end, and nobody signs out of it. */
  readonly isOfApp: boolean;
  /** What a call needs beside the cookie; null where the cookie is enough. */
  proof: { readonly kind: 'pageCode' | 'pageKey'; readonly digest: string } | null;
  /** The public key with which its browser signs in again after a restart; null where there is none. */
  publicKey: string | null;
  endsMs: number;
  /** How to end each event stream that it has open. */
  readonly streams: Set<() => void>;
}

export interface SignedIn {
  /** The value of the cookie. */
  readonly session: string;
  /** What the browser's page makes its page key of; null where the cookie is enough. */
  readonly pageCode: string | null;
}

interface PageSignedIn extends SignedIn {
  readonly pageCode: string;
}

/**
 * Who the owner is: the CLI by the portal key, a window by a cookie, a browser by a link that works once.
 *
 * A browser sends its cookie to every port of 127.0.0.1, also to one where another account listens. A browser's session
 * therefore needs a second secret in every call, the page key (header `Rotavox-Page-Key`). The page makes it of the page
 * code, which only the answer to the sign-in link carries, and keeps it in the storage of its origin, which no other port
 * can read. The first call with that code binds the key to the session; the cookie alone never opens anything. A client that
 * does not ask for a page, and so is no browser, needs the cookie only, and so do the windows of the desktop app.
 *
 * A session ends when it is signed out, after `sessionIdleHours` without a call or an open event stream, and with the
 * process; that of the app's windows only with the process. Everything is kept in memory, and of secrets their digests.
 * What outlives the process are the public keys of browsers, which get a new session for a signature (`KnownBrowsers`).
 */
// see decisions/a-browser-needs-a-page-key.md
export class PortalSessions {
  /** Goes into `runtime.json` (0600) and nowhere else. */
  readonly portalKey: string;
  readonly #keyDigest: Buffer;
  readonly #clock: Clock;
  readonly #signInCommand: string | null;
  readonly #browsers: KnownBrowsers;
  /** By the digest of the code of a sign-in link. */
  readonly #codes: OneTimeCodes;
  /** By the digest of the cookie's value. */
  readonly #sessions = new Map<string, Session>();

  /** `commandLine` is how the command line is called on this machine, with the data folder; null where there is none. */
  constructor(clock: Clock, browsers: BrowserList, commandLine: string | null = null) {
    this.#browsers = new KnownBrowsers(browsers, clock);
    this.#codes = new OneTimeCodes(clock, signInSeconds);
    this.#signInCommand = commandLine === null ? null : `${commandLine} open`;
    const key = mintToken('portal');
    this.portalKey = key.value;
    this.#keyDigest = Buffer.from(key.digest);
    this.#clock = clock;
  }

  /** A code for one sign-in within five minutes. */
  createCode(): string {
    const { value, digest } = mintToken('signIn');
    this.#codes.add(digest);
    return value;
  }

  /** A session for a code that is used for the first time and in time; otherwise null. */
  redeemCode(code: string, { asksForPage }: { asksForPage: boolean }): SignedIn | null {
    if (!this.#codes.use(digestOf(code))) return null;
    if (asksForPage) return this.#addForPage(null);
    const endsMs = this.#idleEndMs();
    const session = this.#add({ isOfApp: false, proof: null, publicKey: null, endsMs });
    return { session, pageCode: null };
  }

  /**
   * Has the browser that asks be signed in again after a restart.
   *
   * False for a caller that is not the page of a browser, and for what is not a key.
   */
  remember(request: FastifyRequest, publicKey: string): boolean {
    const session = this.#sessionOf(request);
    if (session?.proof?.kind !== 'pageKey') return false;
    if (!this.#browsers.remember(publicKey, portOf(request))) return false;
    session.publicKey = publicKey;
    return true;
  }

  createChallenge(): string {
    return this.#browsers.createChallenge();
  }

  /** A session for a browser that is remembered; null for any other. */
  signInAgain(request: FastifyRequest, proof: SignInProof): PageSignedIn | null {
    return this.#browsers.accepts(proof, portOf(request)) ? this.#addForPage(proof.public_key) : null;
  }

  /** The value of the cookie for windows of the desktop app. */
  createSession(): string {
    return this.#add({ isOfApp: true, proof: null, publicKey: null, endsMs: Infinity });
  }

  isOwner(request: FastifyRequest): boolean {
    const key = readBearer(request.headers.authorization);
    if (key !== null) return timingSafeEqual(Buffer.from(digestOf(key)), this.#keyDigest);
    const session = this.#sessionOf(request);
    if (session === undefined || !isProven(session, request.headers[pageKeyHeader])) return false;
    this.#use(session);
    return true;
  }

  /** A hook for the owner's routes. */
  guard = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (this.isOwner(request)) next();
    else this.refuseStranger(reply);
  };

  refuseStranger(reply: FastifyReply): void {
    refuse(reply, 'not_signed_in', { signInCommand: this.#signInCommand });
  }

  /** Has an event stream of the owner ended with the session that it belongs to. Returns what to call when it is over. */
  endStreamWithSession(request: FastifyRequest, end: () => void): () => void {
    const session = this.#sessionOf(request);
    session?.streams.add(end);
    return () => {
      if (session?.streams.delete(end) === true) this.#use(session);
    };
  }

  /**
   * Ends the session of the browser that asks, or those of all browsers. Returns how many ended.
   *
   * Throws `StoreUnavailable` when they have ended and the disk refuses to forget the keys for the next start.
   */
  signOut(request: FastifyRequest, { allBrowsers }: { allBrowsers: boolean }): number {
    const own = this.#sessionOf(request);
    const ended: Session[] = [];
    for (const [digest, session] of this.#sessions) {
      if (session.isOfApp || !(allBrowsers || session === own)) continue;
      this.#end(digest, session);
      ended.push(session);
    }
    this.#browsers.forget((key) => allBrowsers || ended.some(({ publicKey }) => publicKey === key));
    return ended.length;
  }

  #sessionOf(request: FastifyRequest): Session | undefined {
    const value = request.cookies[sessionCookieName(portOf(request))];
    if (value === undefined) return undefined;
    const digest = digestOf(value);
    const session = this.#sessions.get(digest);
    if (session === undefined || !this.#isOver(session)) return session;
    this.#end(digest, session);
    return undefined;
  }

  /** A session of a browser's page, which ends soon unless the page proves itself with what is made of the page code. */
  #addForPage(publicKey: string | null): PageSignedIn {
    const { value: pageCode, digest } = mintToken('signIn');
    const endsMs = this.#clock() + signInSeconds * 1000;
    const proof = { kind: 'pageCode', digest } as const;
    return { session: this.#add({ isOfApp: false, proof, publicKey, endsMs }), pageCode };
  }

  #add(session: Omit<Session, 'streams'>): string {
    for (const [digest, known] of this.#sessions) {
      if (this.#isOver(known) || this.#sessions.size >= maxSessions) this.#end(digest, known);
    }
    const { value, digest } = mintToken('session');
    this.#sessions.set(digest, { ...session, streams: new Set() });
    return value;
  }

  #end(digest: string, { streams }: Session): void {
    this.#sessions.delete(digest);
    for (const end of streams) end();
  }

  #isOver({ endsMs, streams }: Session): boolean {
    return streams.size === 0 && this.#clock() >= endsMs;
  }

  #use(session: Session): void {
    if (!session.isOfApp) session.endsMs = this.#idleEndMs();
    if (session.publicKey !== null) this.#browsers.use(session.publicKey);
  }

  #idleEndMs(): number {
    return this.#clock() + sessionIdleHours * 3_600_000;
  }
}

/** Whether a call shows what its session needs. The first key that begins with the page code is the session's from then on. */
function isProven(session: Session, pageKey: string | readonly string[] | undefined): boolean {
  const { proof } = session;
  if (proof === null) return true;
  if (typeof pageKey !== 'string') return false;
  if (proof.kind === 'pageKey') return digestOf(pageKey) === proof.digest;
  const [pageCode = ''] = pageKey.split('.', 1);
  if (digestOf(pageCode) !== proof.digest) return false;
  session.proof = { kind: 'pageKey', digest: digestOf(pageKey) };
  return true;
}

/** Browsers keep one set of cookies for all ports of a host, so the name carries the port. */
export function sessionCookieName(port: number): string {
  return `rotavox_${port}`;
}

/** The port that the caller reached. */
export function portOf({ raw }: FastifyRequest): number {
  return raw.socket.localPort ?? 0;
}

export const sessionCookieOptions = { path: '/', httpOnly: true, sameSite: 'strict' } as const;
