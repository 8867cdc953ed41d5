import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { OwnerId } from '../../contract/service/owner.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { ownerWithKey } from '../../core/owner/change-owners.ts';
import type { Owner } from '../../core/owner/owner-record.ts';
import { digestOf, tokenPrefixes } from '../secrets/token-value.ts';
import { FailureThrottle, sourceOf, type ThrottleLimits } from './failure-throttle.ts';
import { actorOf } from './owner-of-call.ts';

/** In all, and for each address. A person mistypes a key a few times; nobody can guess one. */
const limits: ThrottleLimits = {
  perSource: { burst: 100, perSecond: 1 },
  perSourceAndToken: { burst: 10, perSecond: 0.1 },
};
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** How many failures are recorded in a minute, whatever their addresses. */
const mostFailuresRecorded = 10;
/** How many addresses are remembered; beyond that the one that was seen longest ago is forgotten. */
const mostRemembered = 1_000;

interface Failures {
  /** Since the last record. */
  attempts: number;
  recordedMs: number;
}

/**
 * The keys of owners: whose a key is, and a record of their use and of failed attempts.
 *
 * A valid key is never refused because of the failures of others. Uses and failures are recorded after the answer, so a full
 * disk keeps nobody out.
 */
export class OwnerKeys {
  readonly #clock: Clock;
  readonly #throttle: FailureThrottle;
  readonly #ledger: Ledger;
  readonly #lastUsedMs = new Map<OwnerId, number>();
  /** When a use was recorded last, by owner and address. */
  readonly #recordedMs = new Map<string, number>();
  /** By where they come from (`sourceOf`). */
  readonly #failures = new Map<string, Failures>();
  #recordedFailures: number[] = [];

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#throttle = new FailureThrottle(limits, clock);
  }

  get hasOwners(): boolean {
    return this.#ledger.state.owners.size > 0;
  }

  find(id: OwnerId): Owner | undefined {
    return this.#ledger.state.owners.get(id);
  }

  /** Whose key was presented, from which address; null for nobody's. Records the use or the failure. */
  ownerOf(key: string, address: string, way: 'browser' | 'key'): Owner | null {
    const owner = ownerWithKey(this.#ledger.state, digestOf(key));
    if (owner === undefined) {
      // What is no key of an owner at all, such as the portal key of an earlier process, is not an attempt to be one.
      if (way === 'browser' || key.startsWith(tokenPrefixes.owner)) this.#recordFailure(address);
      return null;
    }
    this.noteUse(owner.id);
    this.#recordUse(owner, address, way);
    return owner;
  }

  /** Counts a failed sign-in. Returns 0 if it may be answered, otherwise the seconds to wait. */
  throttle(address: string): number {
    return this.#throttle.fail('', sourceOf(address));
  }

  /** A call of the owner, with the key or in a session. */
  noteUse(id: OwnerId): void {
    this.#lastUsedMs.set(id, this.#clock());
  }

  lastUsedMs({ id, lastUsedAtMs }: Owner): number | null {
    return this.#lastUsedMs.get(id) ?? lastUsedAtMs;
  }

  #recordUse(owner: Owner, address: string, way: 'browser' | 'key'): void {
    const place = `${owner.id} ${address}`;
    const recordedMs = this.#recordedMs.get(place) ?? -Infinity;
    const nowMs = this.#clock();
    if (way === 'key' && nowMs - recordedMs < hourMs) return;
    if (way === 'key') remember(this.#recordedMs, place, nowMs);
    const { id, name } = owner;
    void this.#record({
      kind: 'owner.signed_in',
      subject: id,
      actor: actorOf(owner),
      data: { owner_id: id, name, way, address },
    });
  }

  #recordFailure(address: string): void {
    const nowMs = this.#clock();
    const source = sourceOf(address);
    const { attempts, recordedMs } = this.#failures.get(source) ?? { attempts: 0, recordedMs: -Infinity };
    this.#recordedFailures = this.#recordedFailures.filter((atMs) => nowMs - atMs < minuteMs);
    const isDue = nowMs - recordedMs >= minuteMs && this.#recordedFailures.length < mostFailuresRecorded;
    remember(this.#failures, source, {
      attempts: isDue ? 0 : attempts + 1,
      recordedMs: isDue ? nowMs : recordedMs,
    });
    if (!isDue) return;
    this.#recordedFailures.push(nowMs);
    void this.#record({
      kind: 'owner.sign_in_failed',
      subject: 'owners',
      actor: { kind: 'system' },
      data: { address, attempts: attempts + 1 },
    });
  }

  async #record(event: EventDraft): Promise<void> {
    try {
      await this.#ledger.transact((state) => {
        const isGone = event.kind === 'owner.signed_in' && !state.owners.has(event.data.owner_id);
        return { events: isGone ? [] : [event], value: null };
      });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

/** Sets an entry as the newest, and forgets the oldest of too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= mostRemembered) map.delete(oldest);
  map.set(key, value);
}
