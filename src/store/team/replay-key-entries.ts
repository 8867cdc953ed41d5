import { randomBytes } from 'node:crypto';
import { type Clock, StoreUnavailable } from '../../core/ledger.ts';
import { sealedNameOf, type Sealer, type SharedEntries } from '../../core/shared-entries.ts';
import { epochAt, isKept } from '../replay-keys.ts';

/** The keys of how many later hours are durable ahead: with two, an hour begins with one whenever the timer fires. */
const epochsAhead = 2;

/**
 * The keys of `ReplayKeys` for a team: sealed entries, so that the next leader can replay a reply.
 *
 * A decision cannot wait for the database. So the keys of this hour and of those that follow are durable before they are needed:
 * at the beginning of a term, and then hourly.
 */
export class ReplayKeyEntries {
  readonly #entries: SharedEntries;
  readonly #sealer: Sealer;
  readonly #clock: Clock;
  /** Those that are durable; null for one that cannot be opened. */
  readonly #keys = new Map<string, Buffer | null>();
  #renewing: Promise<void> | null = null;

  private constructor(entries: SharedEntries, sealer: Sealer, clock: Clock) {
    this.#entries = entries;
    this.#sealer = sealer;
    this.#clock = clock;
  }

  /** As the leader. Rejects with `StoreUnavailable`. */
  static async open(
    entries: SharedEntries,
    sealer: Sealer,
    clock: Clock = Date.now,
  ): Promise<ReplayKeyEntries> {
    const keys = new ReplayKeyEntries(entries, sealer, clock);
    for (const { name, value } of await entries.list('replay_key')) {
      const key = sealer.open(value, sealedNameOf('replay_key', name));
      // One that cannot be opened counts as none: lost replies of its hour cannot be replayed, and nothing else is lost.
      keys.#keys.set(name, key === null ? null : Buffer.from(key, 'base64'));
    }
    await keys.renew();
    return keys;
  }

  /** The key of this hour. Throws `StoreUnavailable` when there is none, because the database has refused them. */
  current(): { epoch: string; key: Buffer } {
    const nowEpoch = epochAt(this.#clock());
    const epoch = String(nowEpoch);
    // The last renewal failed, or the clock was set.
    if (this.get(String(nowEpoch + 1)) === undefined) void this.renew().catch(() => undefined);
    const key = this.get(epoch);
    if (key === undefined) throw new StoreUnavailable({ code: 'NO_REPLAY_KEY', path: this.#entries.place });
    return { epoch, key };
  }

  /** The key of an hour, or undefined when it was destroyed. */
  get(epoch: string): Buffer | undefined {
    return this.#keys.get(epoch) ?? undefined;
  }

  /** Makes the next keys durable, and destroys those that are due. Rejects with `StoreUnavailable`. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  /** By the hour of each. */
  get all(): ReadonlyMap<string, Buffer> {
    return new Map([...this.#keys].flatMap(([epoch, key]) => (key === null ? [] : [[epoch, key] as const])));
  }

  /** Adds the keys of another host, over those that were made ahead. Rejects with `StoreUnavailable`. */
  async adopt(keys: ReadonlyMap<string, Buffer>): Promise<void> {
    for (const [epoch, key] of keys) await this.#keep(epoch, key);
  }

  async #keep(epoch: string, key: Buffer): Promise<void> {
    await this.#entries.write(
      'replay_key',
      epoch,
      this.#sealer.seal(key.toString('base64'), sealedNameOf('replay_key', epoch)),
    );
    this.#keys.set(epoch, key);
  }

  async #renew(): Promise<void> {
    const nowEpoch = epochAt(this.#clock());
    for (let ahead = 0; ahead <= epochsAhead; ahead += 1) {
      const epoch = String(nowEpoch + ahead);
      if (this.get(epoch) !== undefined) continue;
      await this.#keep(epoch, randomBytes(32));
    }
    for (const epoch of [...this.#keys.keys()].filter((one) => !isKept(one, nowEpoch))) {
      await this.#entries.remove('replay_key', epoch);
      this.#keys.delete(epoch);
    }
  }
}
