import { timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { loopbackNames, pageKeyHeader } from '../../contract/address.ts';
import type { OwnerId, SessionView } from '../../contract/service/owner.ts';
import type { SignInProof } from '../../contract/service/portal.ts';
import { instantMs, isoInstant } from '../../core/iso-instant.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { refuse } from '../http/refuse.ts';
import { digestOf, mintToken } from '../secrets/token-value.ts';
import { portOf } from './arrival.ts';
import { readBearer } from './bearer-gate.ts';
import { type BrowserList, KnownBrowsers } from './known-browsers.ts';
import { actorOf, type CallOwner, isSameOwner, machineOwner } from './owner-of-call.ts';
import { OwnerKeys } from './owner-keys.ts';
import { isProven, lastMs, type NewSession, type Session, SessionTable } from './session-table.ts';

/** How long a sign-in link may be used, in seconds. */
export const signInSeconds = 300;
const userAgentLength = 200;

export interface PortalSessionsOptions {
  /** Knows the owners. */
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly browsers: BrowserList;
  /** How the command line is called on this machine, with the data folder; null where there is none. */
  readonly commandLine: string | null;
  /** Default: a new one. */
  readonly portalKey?: string;
}

export interface SignedIn {
  /** The value of the cookie. */
  readonly session: string;
  /** What the browser's page makes its page key of; null where the cookie is enough. */
  readonly pageCode: string | null;
}

export interface PageSignedIn extends SignedIn {
  readonly pageCode: string;
}

/**
 * Who the owner is: the CLI by the portal key, a person by the key of an owner, a window by a cookie, a browser by that key or by
 * a link that works once.
 *
 * A browser sends its cookie to every port of 127.0.0.1, also to one where another account listens. A browser's session
 * therefore needs a second secret in every call, the page key (header `Rotavox-Page-Key`). The page makes it of the page
 * code, which only the answer to its sign-in carries, and keeps it in the storage of its origin, which no other port
 * can read. The first call with that code binds the key to the session; the cookie alone never opens anything. A client that
 * does not ask for a page, and so is no browser, needs the cookie only, and so do the windows of the desktop app.
 *
 * Sessions are in memory (`SessionTable`), and of secrets only their digests. What outlives the process are the public keys of
 * browsers, which get a new session for a signature (`KnownBrowsers`), and the keys of owners, which are in the ledger.
 */
// see decisions/a-browser-needs-a-page-key.md and owners-and-their-keys.md
export class PortalSessions {
  /** Goes into `runtime.json` (0600) and nowhere else. */
  readonly portalKey: string;
  readonly ownerKeys: OwnerKeys;
  readonly #keyDigest: Buffer;
  readonly #clock: Clock;
  readonly #signInCommand: string | null;
  readonly #browsers: KnownBrowsers;
  /** Public keys that are being stored: signing out forgets them too. */
  readonly #remembering = new Map<Session, string>();
  /** Whose sign-in link it is, by the digest of its code. */
  readonly #codes: OneTimeCodes<CallOwner>;
  readonly #sessions: SessionTable;
  /** How to end each event stream or long answer that was asked for with the key of an owner, without a session. */
  readonly #keyStreams = new Map<OwnerId, Set<() => void>>();

  constructor({
    ledger,
    clock,
    browsers,
    commandLine,
    portalKey = mintToken('portal').value,
  }: PortalSessionsOptions) {
    this.#browsers = new KnownBrowsers(browsers, clock);
    this.#codes = new OneTimeCodes(clock, signInSeconds);
    this.#sessions = new SessionTable(clock);
    this.ownerKeys = new OwnerKeys(ledger, clock);
    this.#signInCommand = commandLine === null ? null : `${commandLine} open`;
    this.portalKey = portalKey;
    this.#keyDigest = Buffer.from(digestOf(portalKey));
    this.#clock = clock;
    // For as long as the ledger is open: both are of one term.
    ledger.subscribe((event) => {
      if (event.kind === 'owner.revoked') this.#endOwner(event.data.owner_id);
    });
  }

  /** A code for one sign-in within five minutes, as this owner. */
  createCode(owner: CallOwner = machineOwner): string {
    const { value, digest } = mintToken('signIn');
    this.#codes.add(digest, owner);
    return value;
  }

  /** A session for a code that is used for the first time and in time; otherwise null. */
  redeemCode(
    request: FastifyRequest,
    code: string,
    { asksForPage }: { asksForPage: boolean },
  ): SignedIn | null {
    const owner = this.#codes.use(digestOf(code));
    if (owner === null || !this.isKnown(owner)) return null;
    const wanted = newSession(request, owner);
    if (asksForPage) return this.#sessions.addForPage(wanted);
    return { session: this.#sessions.addForClient(wanted), pageCode: null };
  }

  /** A session for the key of an owner. For another one the seconds to wait before the next attempt, or 0. */
  signInWithKey(
    request: FastifyRequest,
    key: string,
  ): { readonly signedIn: PageSignedIn } | { readonly waitSeconds: number } {
    const address = request.arrival.address;
    const owner = this.ownerKeys.ownerOf(key, address, 'browser');
    if (owner === null) return { waitSeconds: this.ownerKeys.throttle(address) };
    return { signedIn: this.#sessions.addForPage(newSession(request, actorOf(owner))) };
  }

  /**
   * Has the browser that asks be signed in again after a restart.
   *
   * False for a caller that is not the page of a browser, and for what is not a key. Rejects with `StoreUnavailable`.
   */
  async remember(request: FastifyRequest, publicKey: string): Promise<boolean> {
    const session = this.#sessionOf(request);
    if (session?.proof?.kind !== 'pageKey') return false;
    const { owner_id: owner } = session.owner;
    const signedIn = owner === undefined ? {} : { owner, signed_in_at: isoInstant(session.signedInMs) };
    const browser = { public_key: publicKey, port: portOf(request.arrival), ...signedIn };
    this.#remembering.set(session, publicKey);
    try {
      if (!(await this.#browsers.remember(browser))) return false;
      session.publicKey = publicKey;
      return true;
    } finally {
      this.#remembering.delete(session);
    }
  }

  createChallenge(): string {
    return this.#browsers.createChallenge();
  }

  /** A session for a browser that is remembered; null for any other. */
  signInAgain(request: FastifyRequest, proof: SignInProof): PageSignedIn | null {
    const browser = this.#browsers.recognise(proof, portOf(request.arrival));
    if (browser === null) return null;
    const { public_key: publicKey, signed_in_at: signedInAt } = browser;
    if (browser.owner === undefined)
      return this.#sessions.addForPage({ ...newSession(request, machineOwner), publicKey });
    const owner = this.ownerKeys.find(browser.owner);
    if (owner === undefined) return null;
    const signedInMs = signedInAt === undefined ? this.#clock() : instantMs(signedInAt);
    const wanted = { ...newSession(request, actorOf(owner)), publicKey, signedInMs };
    return this.#clock() >= lastMs(wanted) ? null : this.#sessions.addForPage(wanted);
  }

  /** The cookie that signs in a window of the desktop app, which loads its page from this port. */
  windowCookie(port: number): { name: string; value: string } {
    return { name: sessionCookieName(port), value: this.createSession() };
  }

  /** The value of the cookie for windows of the desktop app. */
  createSession(): string {
    return this.#sessions.addForApp({
      owner: machineOwner,
      publicKey: null,
      address: loopbackNames[0] ?? '',
      userAgent: null,
    });
  }

  /** Who makes a call; null for a stranger. */
  ownerOf(request: FastifyRequest): CallOwner | null {
    if (request.arrival.isOwner) return machineOwner;
    const key = readBearer(request.headers.authorization);
    if (key !== null) {
      if (timingSafeEqual(Buffer.from(digestOf(key)), this.#keyDigest)) return machineOwner;
      const owner = this.ownerKeys.ownerOf(key, request.arrival.address, 'key');
      return owner === null ? null : actorOf(owner);
    }
    const session = this.#sessionOf(request);
    if (session === undefined || !isProven(session, request.headers[pageKeyHeader])) return null;
    if (!this.isKnown(session.owner)) return null;
    this.#use(session);
    return session.owner;
  }

  /** Whether an owner is still one: not revoked since the call was admitted. */
  isKnown({ owner_id: id }: CallOwner): boolean {
    return id === undefined || this.ownerKeys.find(id) !== undefined;
  }

  /** A hook for the owners' routes. */
  guard = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    request.owner = this.ownerOf(request);
    if (request.owner === null) this.refuseStranger(reply);
    else next();
  };

  /** The command is for whoever is at the machine, and has its data folder in it. */
  refuseStranger(reply: FastifyReply): void {
    refuse(reply, 'not_signed_in', {
      signInCommand: isOnLoopback(reply.request) ? this.#signInCommand : null,
      takesOwnerKey: this.ownerKeys.hasOwners,
    });
  }

  /**
   * Has an event stream or a long answer of an owner ended with the session that it belongs to, or when its owner is revoked. Returns what to
   * call when it is over.
   */
  endStreamWithSession(request: FastifyRequest, end: () => void): () => void {
    if (readBearer(request.headers.authorization) !== null) {
      const id = request.owner?.owner_id;
      if (id === undefined) return () => undefined;
      const streams = this.#keyStreams.get(id) ?? new Set();
      this.#keyStreams.set(id, streams.add(end));
      return () => {
        streams.delete(end);
        if (streams.size === 0 && this.#keyStreams.get(id) === streams) this.#keyStreams.delete(id);
      };
    }
    const session = this.#sessionOf(request);
    session?.streams.add(end);
    return () => {
      if (session?.streams.delete(end) === true) this.#use(session);
    };
  }

  /** Ends sessions whose absolute end has come. The event stream calls it while one is open. */
  endOverdue(): void {
    this.#sessions.endOverdue();
  }

  /** The browsers in which the owner who asks is signed in, the one that was used last first. */
  sessionsOf(request: FastifyRequest): SessionView[] {
    const own = this.#sessionOf(request);
    return this.#sessions
      .of(request.owner?.owner_id)
      .toSorted((one, other) => other.usedMs - one.usedMs)
      .map((session) => ({
        id: session.id,
        is_current: session === own,
        signed_in_at: isoInstant(session.signedInMs),
        last_used_at: isoInstant(session.streams.size > 0 ? this.#clock() : session.usedMs),
        address: session.address,
        user_agent: session.userAgent,
      }));
  }

  countOf(id: OwnerId): number {
    return this.#sessions.of(id).length;
  }

  /**
   * Ends the session of the browser that asks, or those of all browsers of its owner. Returns how many ended.
   *
   * Rejects with `StoreUnavailable` when they have ended and the disk refuses to forget the keys for the next start.
   */
  signOut(request: FastifyRequest, { allBrowsers }: { allBrowsers: boolean }): Promise<number> {
    const own = this.#sessionOf(request);
    const owner = request.owner ?? machineOwner;
    return this.#signOutWhere(
      (session) => (allBrowsers ? isSameOwner(session.owner, owner) : session === own),
      (browser) => allBrowsers && browser === owner.owner_id,
    );
  }

  /** Ends one session of the owner who asks. False when there is none with this id. */
  async endSession(request: FastifyRequest, id: string): Promise<boolean> {
    const owner = request.owner ?? machineOwner;
    const isMeant = (session: Session): boolean => session.id === id && isSameOwner(session.owner, owner);
    return (await this.#signOutWhere(isMeant, () => false)) > 0;
  }

  async #signOutWhere(
    isMeant: (session: Session) => boolean,
    isForgotten: (owner: OwnerId | undefined) => boolean,
  ): Promise<number> {
    const ended = this.#sessions.endWhere((session) => !session.isOfApp && isMeant(session));
    const keys = new Set(ended.flatMap((session) => [session.publicKey, this.#remembering.get(session)]));
    await this.#browsers.forget(({ public_key, owner }) => keys.has(public_key) || isForgotten(owner));
    return ended.length;
  }

  #endOwner(id: OwnerId): void {
    for (const end of this.#keyStreams.get(id) ?? []) end();
    this.#signOutWhere(
      ({ owner }) => owner.owner_id === id,
      (owner) => owner === id,
    ).catch((error: unknown) => {
      // A browser of an owner who is not known gets no session, also when the list still has it.
      if (!(error instanceof StoreUnavailable)) throw error;
    });
  }

  #sessionOf(request: FastifyRequest): Session | undefined {
    const value = request.cookies[sessionCookieOf(request).name];
    return value === undefined ? undefined : this.#sessions.find(value);
  }

  #use(session: Session): void {
    this.#sessions.use(session);
    const { owner_id: id } = session.owner;
    if (id !== undefined) this.ownerKeys.noteUse(id);
    if (session.publicKey !== null) this.#browsers.use(session.publicKey);
  }
}

function newSession(request: FastifyRequest, owner: CallOwner): NewSession {
  const userAgent = request.headers['user-agent']?.slice(0, userAgentLength) ?? null;
  return { owner, publicKey: null, address: request.arrival.address, userAgent };
}

/**
 * Browsers keep one set of cookies for all ports of a host, so the name carries the port.
 *
 * A name with `__Host-` cannot be set over http, nor by another host of the same domain.
 */
export function sessionCookieName(port: number, isSecure = false): string {
  return `${isSecure ? '__Host-' : ''}rotavox_${port}`;
}

/** The name and the attributes of the session's cookie for the address that the caller used. */
export function sessionCookieOf({ arrival }: FastifyRequest) {
  const { isSecure } = arrival;
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure } as const;
  return { name: sessionCookieName(portOf(arrival), isSecure), options };
}

/** Whether the caller used a name of the machine itself. */
function isOnLoopback({ arrival }: FastifyRequest): boolean {
  return loopbackNames.includes(new URL(arrival.origin).hostname.replace(/^\[|\]$/g, ''));
}

const maxOpen = 100;

/** Codes that each may be used once and within a time limit, with what each is for. Beyond a hundred the oldest is forgotten. */
class OneTimeCodes<T> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #open = new Map<string, { readonly untilMs: number; readonly purpose: T }>();

  constructor(clock: Clock, limitSeconds: number) {
    this.#clock = clock;
    this.#limitMs = limitSeconds * 1000;
  }

  add(code: string, purpose: T): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= maxOpen) this.#open.delete(oldest);
    this.#open.set(code, { untilMs: this.#clock() + this.#limitMs, purpose });
  }

  /** What it is for, when it is used for the first time and in time; otherwise null. */
  use(code: string): T | null {
    const open = this.#open.get(code);
    this.#open.delete(code);
    return open !== undefined && this.#clock() < open.untilMs ? open.purpose : null;
  }
}
