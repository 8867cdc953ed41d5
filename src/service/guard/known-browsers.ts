import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { signInStatement } from '../../contract/address.ts';
import { type KnownBrowser, sessionIdleHours, type SignInProof } from '../../contract/portal.ts';
import type { Clock } from '../../core/ledger.ts';
import { isoInstant, instantMs } from '../../core/iso-instant.ts';
import { OneTimeCodes } from './one-time-codes.ts';

/** Where the list is stored. */
export interface BrowserList {
  read(): readonly KnownBrowser[];
  /** On disk when it returns. Throws `StoreUnavailable`. */
  write(browsers: readonly KnownBrowser[]): void;
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
  readonly #challenges: OneTimeCodes;

  constructor(list: BrowserList, clock: Clock) {
    this.#list = list;
    this.#clock = clock;
    this.#challenges = new OneTimeCodes(clock, challengeSeconds);
    this.#browsers = list.read();
  }

  /** False for what is no key on the curve. Throws `StoreUnavailable`; then it is not remembered. */
  remember(publicKey: string, port: number): boolean {
    if (keyOf(publicKey) === null) return false;
    this.#store(publicKey, port);
    return true;
  }

  /** A key is accepted as long after its last use as a session. */
  use(publicKey: string): void {
    const browser = this.#find(publicKey);
    if (browser === undefined || this.#clock() - instantMs(browser.used_at) < usedAtLagMs) return;
    try {
      this.#store(publicKey, browser.port);
    } catch {
      // The call is not about this; at worst the browser has to use a link after the next restart.
    }
  }

  /** Throws `StoreUnavailable`; then they are forgotten in this process only. */
  forget(isForgotten: (publicKey: string) => boolean): void {
    const left = this.#browsers.filter(({ public_key }) => !isForgotten(public_key));
    if (left.length === this.#browsers.length) return;
    this.#browsers = left;
    this.#list.write(left);
  }

  createChallenge(): string {
    const challenge = randomUUID();
    this.#challenges.add(challenge);
    return challenge;
  }

  /** Whether a browser that is known at this port answered a challenge for the first time and in time. */
  accepts({ public_key, challenge, signature }: SignInProof, port: number): boolean {
    if (!this.#challenges.use(challenge)) return false;
    const browser = this.#find(public_key);
    if (browser?.port !== port || this.#isOver(browser)) return false;
    const key = keyOf(public_key);
    if (key === null) return false;
    return verify(
      'sha256',
      Buffer.from(signInStatement(challenge)),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  }

  #isOver({ used_at }: KnownBrowser): boolean {
    return this.#clock() - instantMs(used_at) >= sessionIdleHours * 3_600_000;
  }

  #find(publicKey: string): KnownBrowser | undefined {
    return this.#browsers.find(({ public_key }) => public_key === publicKey);
  }

  #store(publicKey: string, port: number): void {
    const others = this.#browsers.filter((known) => known.public_key !== publicKey && !this.#isOver(known));
    const used = { public_key: publicKey, port, used_at: isoInstant(this.#clock()) };
    const browsers = [...others, used].slice(-maxBrowsers);
    this.#list.write(browsers);
    this.#browsers = browsers;
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
