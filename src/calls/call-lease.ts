import { leaseSeconds, siteLimit } from '../core/calls/asterisk-lines.ts';
import type { Clock } from '../core/ledger.ts';
import type { AriPort } from './ari-port.ts';

/** The time limit of a channel (func_timeout.c): read, the seconds that are left (0: none); set, seconds from now. */
const absoluteTimeout = 'TIMEOUT(absolute)';

/**
 * How long Asterisk waits for a sign of this program before the fallback takes a call.
 *
 * Both the site and our lease use the one time limit of a channel. The lines that hand a call over note the limit of the site before they
 * set the lease; for a dialplan without these lines it is noted here. The lease never lasts longer than the site allows, and what is left of that is
 * given back when the call leaves.
 */
export class CallLease {
  readonly #ari: () => AriPort;
  readonly #channel: string;
  readonly #clock: Clock;
  #isShort = false;
  /** When the site ends the call by itself; null: it does not. */
  #siteEndsAt: number | null = null;

  constructor(channel: string, { ari, clock }: { readonly ari: () => AriPort; readonly clock: Clock }) {
    this.#channel = channel;
    this.#ari = ari;
    this.#clock = clock;
  }

  /** Whether it ends some seconds from its last renewal; false: later, never, or we do not know. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** A request was lost, or the channel is leaving: nobody knows how long it lasts. */
  forget(): void {
    this.#isShort = false;
  }

  /** For a moment, after a sound of so many seconds. */
  async renew(soundSeconds = 0): Promise<void> {
    const seconds = Math.min(leaseSeconds + soundSeconds, this.#leftOfSite() ?? Infinity);
    // Set before it is asked: what is asked meanwhile counts.
    this.#isShort = soundSeconds === 0;
    try {
      await this.#set(seconds);
    } catch (error) {
      this.#isShort = false;
      throw error;
    }
  }

  /** The dialplan goes on with what is left of the site's own limit. */
  async takeBack(): Promise<void> {
    this.#isShort = false;
    await this.#set(this.#leftOfSite() ?? 0);
  }

  /** What the site allows the call. A new one is noted, so that another start of this program finds it. */
  async findSiteLimit(isNew: boolean): Promise<void> {
    const ari = this.#ari();
    if (isNew) await this.#note(ari);
    const left = Number((await ari.readVariable(this.#channel, siteLimit.left)) ?? 0);
    if (!(left > 0)) {
      this.#siteEndsAt = null;
      return;
    }
    const [at, now] = await Promise.all([
      ari.readVariable(this.#channel, siteLimit.at),
      ari.readVariable(this.#channel, 'EPOCH'),
    ]);
    // Both by the clock of Asterisk, which may differ from ours.
    this.#siteEndsAt = this.#clock() + (left - (Number(now) - Number(at))) * 1000;
  }

  /** No longer limit than the lease is taken for one: it is the lease of lines from earlier versions, which noted nothing. */
  async #note(ari: AriPort): Promise<void> {
    if ((await ari.readVariable(this.#channel, siteLimit.left)) !== null) return;
    const [left, now] = await Promise.all([
      ari.readVariable(this.#channel, absoluteTimeout),
      ari.readVariable(this.#channel, 'EPOCH'),
    ]);
    const isSites = Number(left) > leaseSeconds;
    await ari.setVariable(this.#channel, siteLimit.at, now ?? '0');
    await ari.setVariable(this.#channel, siteLimit.left, isSites && left !== null ? left : '0');
  }

  #set(seconds: number): Promise<void> {
    return this.#ari().setVariable(this.#channel, absoluteTimeout, String(seconds));
  }

  /** In seconds, at least one: 0 would mean that there is no limit. */
  #leftOfSite(): number | null {
    if (this.#siteEndsAt === null) return null;
    return Math.max(1, Math.round((this.#siteEndsAt - this.#clock()) / 1000));
  }
}
