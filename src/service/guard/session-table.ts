import type { OwnerId } from '../../contract/service/owner.ts';
import { sessionIdleHours, sessionMostDays } from '../../contract/service/portal.ts';
import type { Clock } from '../../core/ledger.ts';
import { digestOf, mintId, mintToken } from '../secrets/token-value.ts';
import type { CallOwner } from './owner-of-call.ts';

/** How long the page of a browser that signed in has until its first call, in seconds. */
const pageSeconds = 300;
const maxSessions = 1000;
const dayMs = 86_400_000;

export interface Session {
  /** Names it in the list of the owner's sessions; opens nothing. */
  readonly id: string;
  readonly owner: CallOwner;
  /** Whether it is for windows of the desktop app: it has no end, and nobody signs out of it. */
  readonly isOfApp: boolean;
  /** What a call needs beside the cookie; null where the cookie is enough. */
  proof: { readonly kind: 'pageCode' | 'pageKey'; readonly digest: string } | null;
  /** The public key with which its browser signs in again after a restart; null where there is none. */
  publicKey: string | null;
  /** When its owner entered the key or used a link. */
  readonly signedInMs: number;
  usedMs: number;
  /** When it ends without a further call or an open event stream. */
  endsMs: number;
  readonly address: string;
  readonly userAgent: string | null;
  /** How to end each event stream, and each long answer, that it has open. */
  readonly streams: Set<() => void>;
}

/** Of a new session, what depends on who signs in and how. */
export interface NewSession {
  readonly owner: CallOwner;
  readonly publicKey: string | null;
  /** Default: now. */
  readonly signedInMs?: number | undefined;
  readonly address: string;
  readonly userAgent: string | null;
}

/**
 * The sessions of windows and browsers, in memory only, by the digest of the cookie's value.
 *
 * A session ends `sessionIdleHours` after its last call or event stream, and one of an owner with a key also `sessionMostDays`
 * after the sign-in, with its event streams. That of the app's windows ends with the process.
 */
export class SessionTable {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Without an end, for windows of the desktop app. Returns the value of the cookie, as the others do. */
  addForApp(wanted: NewSession): string {
    return this.#add(wanted, { isOfApp: true, proof: null, endsMs: Infinity });
  }

  /** For a client that is no browser: its cookie is enough. */
  addForClient(wanted: NewSession): string {
    return this.#add(wanted, { isOfApp: false, proof: null, endsMs: this.#idleEndMs() });
  }

  /** For a browser. It ends soon unless the page proves itself with what it makes of the page code. */
  addForPage(wanted: NewSession): { readonly session: string; readonly pageCode: string } {
    const { value: pageCode, digest } = mintToken('signIn');
    const endsMs = this.#clock() + pageSeconds * 1000;
    const proof = { kind: 'pageCode', digest } as const;
    return { session: this.#add(wanted, { isOfApp: false, proof, endsMs }), pageCode };
  }

  /** The session of a cookie's value, if it is not over. */
  find(value: string): Session | undefined {
    const digest = digestOf(value);
    const session = this.#sessions.get(digest);
    if (session === undefined || !this.#isOver(session)) return session;
    this.#end(digest, session);
    return undefined;
  }

  use(session: Session): void {
    session.usedMs = this.#clock();
    if (!session.isOfApp) session.endsMs = this.#idleEndMs();
  }

  /** Those of an owner that are in use, without those of the app. */
  of(id: OwnerId | undefined): Session[] {
    return [...this.#sessions.values()].filter(
      (session) => session.owner.owner_id === id && !session.isOfApp && !this.#isOver(session),
    );
  }

  /** Ends sessions with their event streams. Returns those that ended. */
  endWhere(isMeant: (session: Session) => boolean): Session[] {
    const ended: Session[] = [];
    for (const [digest, session] of this.#sessions) {
      if (!isMeant(session)) continue;
      this.#end(digest, session);
      ended.push(session);
    }
    return ended;
  }

  /** Ends those whose absolute end has come, which an open event stream does not delay. */
  endOverdue(): void {
    this.endWhere((session) => this.#clock() >= lastMs(session));
  }

  #add(
    { owner, publicKey, signedInMs = this.#clock(), address, userAgent }: NewSession,
    kind: Pick<Session, 'isOfApp' | 'proof' | 'endsMs'>,
  ): string {
    for (const [digest, known] of this.#sessions) {
      if (this.#isOver(known) || this.#sessions.size >= maxSessions) this.#end(digest, known);
    }
    const { value, digest } = mintToken('session');
    this.#sessions.set(digest, {
      id: mintId('ses_'),
      owner,
      publicKey,
      signedInMs,
      usedMs: this.#clock(),
      address,
      userAgent,
      ...kind,
      streams: new Set(),
    });
    return value;
  }

  #end(digest: string, { streams }: Session): void {
    this.#sessions.delete(digest);
    for (const end of streams) end();
  }

  #isOver(session: Session): boolean {
    const nowMs = this.#clock();
    if (nowMs >= lastMs(session)) return true;
    return session.streams.size === 0 && nowMs >= session.endsMs;
  }

  #idleEndMs(): number {
    return this.#clock() + sessionIdleHours * 3_600_000;
  }
}

/** The absolute end. The owner of the machine signs in with a link that only the machine gives, and has none. */
export function lastMs({ owner, signedInMs }: Pick<Session, 'owner' | 'signedInMs'>): number {
  return owner.owner_id === undefined ? Infinity : signedInMs + sessionMostDays * dayMs;
}

/** Whether a call shows what its session needs. The first key that begins with the page code is the session's from then on. */
export function isProven(session: Session, pageKey: string | readonly string[] | undefined): boolean {
  const { proof } = session;
  if (proof === null) return true;
  if (typeof pageKey !== 'string') return false;
  if (proof.kind === 'pageKey') return digestOf(pageKey) === proof.digest;
  const [pageCode = ''] = pageKey.split('.', 1);
  if (digestOf(pageCode) !== proof.digest) return false;
  session.proof = { kind: 'pageKey', digest: digestOf(pageKey) };
  return true;
}
