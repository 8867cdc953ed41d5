import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { signInStatement } from '../../contract/address.ts';
import { type KnownBrowser, sessionIdleHours, type SignInProof } from '../../contract/service/portal.ts';
import type { Clock } from '../../core/ledger.ts';
import { isoInstant, instantMs } from '../../core/iso-instant.ts';

/** Where the list is stored. */
export interface BrowserList {
  read(): readonly KnownBrowser[];
  /** Durable when it returns, or when its promise resolves. Throws, or rejects with, `StoreUnavailable`. */
  write(browsers: readonly KnownBrowser[]): Promise<void> | void;
}

/** How long a challenge may be answered, in seconds. */
export const challengeSeconds = 60;
const maxBrowsers = 100;
/** How old `used_at` may be while a browser is in use, so that not every call writes a file. */
const usedAtLagMs = 3_600_000;

/**
 * The browsers that may sign in again after a restart, each by the public half of a key that never leaves it.
 *
 * A key counts at the port at which it was registered, and only for a challenge of this process. So a program that listens on
 * our port while we do not, or that passes our challenges on from another port, gains nothing.
 */
// see decisions/a-browser-needs-a-page-key.md
export class KnownBrowsers {
  readonly #list: BrowserList;
  readonly #clock: Clock;
  /** The one used last at the end. */
  #browsers: readonly KnownBrowser[];
  readonly #challenges: Challenges;
  /** The list is written by one call after the other, so that none brings back what another removed. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(list: BrowserList, clock: Clock) {
    this.#list = list;
    this.#clock = clock;
    this.#challenges = new Challenges(clock);
    this.#browsers = list.read();
  }

  /** False for what is no key on the curve. Rejects with `StoreUnavailable`; then it is not remembered. */
  async remember(browser: Omit<KnownBrowser, 'used_at'>): Promise<boolean> {
    if (keyOf(browser.public_key) === null) return false;
    await this.#inTurn(() => this.#store(browser));
    return true;
  }

  /** A key is accepted as long after its last use as a session. */
  use(publicKey: string): void {
    const browser = this.#find(publicKey);
    if (browser === undefined || this.#clock() - instantMs(browser.used_at) < usedAtLagMs) return;
    // When it fails: the call is not about this; at worst the browser has to use a link after the next restart.
    void this.#inTurn(async () => {
      const known = this.#find(publicKey);
      if (known !== undefined) await this.#store(known);
    }).catch(() => undefined);
  }

  /** They are not known here when it returns. Rejects with `StoreUnavailable`; then they are known after a restart. */
  forget(isForgotten: (browser: KnownBrowser) => boolean): Promise<void> {
    const isNew = this.#drop(isForgotten);
    return this.#inTurn(async () => {
      // Again, for one that was being stored.
      const isLate = this.#drop(isForgotten);
      if (isNew || isLate) await this.#list.write(this.#browsers);
    });
  }

  /** Whether there were any. */
  #drop(isForgotten: (browser: KnownBrowser) => boolean): boolean {
    const left = this.#browsers.filter((browser) => !isForgotten(browser));
    const isChanged = left.length < this.#browsers.length;
    this.#browsers = left;
    return isChanged;
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const mine = this.#lastWrite.then(write);
    this.#lastWrite = mine.catch(() => undefined); // reported to this caller, not to the next
    return mine;
  }

  createChallenge(): string {
    return this.#challenges.create();
  }

  /** The browser that is known at this port and answered a challenge for the first time and in time; otherwise null. */
  recognise({ public_key, challenge, signature }: SignInProof, port: number): KnownBrowser | null {
    if (!this.#challenges.isOpen(challenge)) return null;
    const browser = this.#find(public_key);
    if (browser?.port !== port || this.#isOver(browser)) return null;
    const key = keyOf(public_key);
    if (key === null) return null;
    const isSigned = verify(
      'sha256',
      Buffer.from(signInStatement(challenge)),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) return null;
    this.#challenges.spend(challenge);
    return browser;
  }

  #isOver({ used_at }: KnownBrowser): boolean {
    return this.#clock() - instantMs(used_at) >= sessionIdleHours * 3_600_000;
  }

  #find(publicKey: string): KnownBrowser | undefined {
    return this.#browsers.find(({ public_key }) => public_key === publicKey);
  }

  async #store(browser: Omit<KnownBrowser, 'used_at'>): Promise<void> {
    const others = this.#browsers.filter(
      (known) => known.public_key !== browser.public_key && !this.#isOver(known),
    );
    const used = { ...browser, used_at: isoInstant(this.#clock()) };
    const browsers = [...others, used].slice(-maxBrowsers);
    await this.#list.write(browsers);
    this.#browsers = browsers;
  }
}

/**
 * Challenges that each may be answered once and within a minute.
 *
 * Anybody may ask for one, so only those that were answered are remembered: with a list of all of them, whoever asks for many would have
 * the ones of others forgotten.
 */
class Challenges {
  readonly #clock: Clock;
  readonly #key = randomBytes(32);
  /** Until when each challenge that was answered could be answered again. */
  readonly #spent = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  create(): string {
    const untilMs = this.#clock() + challengeSeconds * 1000;
    const facts = `${untilMs}.${randomBytes(16).toString('base64url')}`;
    return `${facts}.${this.#macOf(facts)}`;
  }

  isOpen(challenge: string): boolean {
    const [until = '', random = '', mac = '', ...rest] = challenge.split('.');
    // As text: different texts can have the same bytes, and one that was answered is known by its text.
    const expected = Buffer.from(this.#macOf(`${until}.${random}`));
    const presented = Buffer.from(mac);
    if (rest.length > 0 || presented.length !== expected.length || !timingSafeEqual(presented, expected))
      return false;
    return this.#clock() < Number(until) && !this.#spent.has(challenge);
  }

  spend(challenge: string): void {
    const nowMs = this.#clock();
    for (const [one, untilMs] of this.#spent) if (untilMs <= nowMs) this.#spent.delete(one);
    this.#spent.set(challenge, Number(challenge.split('.', 1)[0]));
  }

  #macOf(facts: string): string {
    return createHmac('sha256', this.#key).update(facts).digest('base64url');
  }
}

function keyOf(publicKey: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}
