import type { CredentialId } from '../../contract/credential/credential.ts';
import type { ProxyUse, ProxyUseSum } from '../../contract/credential/proxy.ts';
import type { Handout, HandoutSum } from '../../contract/credential/use.ts';
import { instantMs, isoInstant } from '../iso-instant.ts';
import type { EventDraft } from '../../contract/history/audit-event.ts';

const minuteMs = 60_000;
/** How many requests are remembered one by one, of all credentials. */
const mostRecent = 2_000;
/** How many different sums one credential has in a minute; beyond it routes and programs are no longer distinguished. */
const mostSums = 200;
const anyRoute = '/**';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A request, as it is recorded. */
export type RequestUse = Omit<ProxyUse, 'at'> & { readonly atMs: number };
type RequestSum = Mutable<Omit<ProxyUseSum, 'last_at'>> & { lastAtMs: number };
type RecentRequest = Mutable<RequestUse> & { id: CredentialId };

/** One minute of one credential. */
interface Minute {
  readonly id: CredentialId;
  readonly startMs: number;
  readonly requests: Map<string, RequestSum>;
  /** What the last request was added to: most are equal to the one before. */
  lastSum: RequestSum | null;
  readonly handouts: Map<string, Mutable<HandoutSum>>;
}

type UseEvent = EventDraft<'proxy.used'> | EventDraft<'credential.used'>;

/** What the journal does not have yet of one credential. */
export interface PendingUses {
  readonly requests: readonly ProxyUseSum[];
  readonly handouts: readonly HandoutSum[];
}

/**
 * The uses of credentials: requests of the proxy and tokens that were handed out. The newest requests are kept one by one, and
 * all uses as sums of minutes, which go into the journal so that it does not grow with each use.
 */
export class UseRecord {
  /**
   * The newest requests, each in the place of the one that it follows after `mostRecent` others. A new object for each would be kept
   * just long enough to be among those that are collected rarely and with much work: that took a fifth of the time of a busy proxy.
   */
  readonly #recent: RecentRequest[] = [];
  #newest = -1;
  /** Not yet in the journal: by credential and minute, then by what is equal. */
  readonly #open = new Map<string, Minute>();
  #lastMinute: Minute | null = null;

  addRequest(id: CredentialId, use: RequestUse): void {
    const minute = this.#minuteOf(id, startOfMinute(use.atMs));
    const sum = sumFor(minute, use);
    sum.count += 1;
    sum.bytes_in += use.bytes_in;
    sum.bytes_out += use.bytes_out;
    sum.duration_ms += use.duration_ms;
    sum.lastAtMs = Math.max(sum.lastAtMs, use.atMs);
    // The text that is kept anyway, where it is the same.
    this.#remember(id, use, sum.route === use.route ? sum.route : use.route);
  }

  #remember(id: CredentialId, use: RequestUse, route: string): void {
    this.#newest = (this.#newest + 1) % mostRecent;
    const place = this.#recent[this.#newest];
    if (place === undefined) {
      this.#recent.push({ ...use, route, id });
      return;
    }
    place.id = id;
    place.token_id = use.token_id;
    place.app = use.app;
    place.generation = use.generation;
    place.method = use.method;
    place.route = route;
    place.status = use.status;
    place.refusal = use.refusal;
    place.atMs = use.atMs;
    place.bytes_in = use.bytes_in;
    place.bytes_out = use.bytes_out;
    place.duration_ms = use.duration_ms;
  }

  addHandout(id: CredentialId, { at, ...same }: Handout): void {
    const minute = this.#minuteOf(id, startOfMinute(instantMs(at)));
    addHandouts(minute.handouts, { ...same, count: 1, last_at: at });
  }

  /** Of one credential, newest first. */
  recentRequests(id: CredentialId, most: number): ProxyUse[] {
    const found: ProxyUse[] = [];
    const { length } = this.#recent;
    for (let age = 0; age < length && found.length < most; age += 1) {
      const one = this.#recent[(this.#newest - age + length) % length];
      if (one?.id !== id) continue;
      const { id: _id, atMs, ...use } = one;
      found.push({ ...use, at: isoInstant(atMs) });
    }
    return found;
  }

  pending(id: CredentialId): PendingUses {
    const minutes = [...this.#open.values()].filter((one) => one.id === id);
    return {
      requests: minutes.flatMap(({ requests }) => writtenSums(requests)),
      handouts: minutes.flatMap(({ handouts }) => [...handouts.values()]),
    };
  }

  /** Takes everything out, as events; `putBack` returns it when the disk did not take them. */
  take(): UseEvent[] {
    const events = [...this.#open.values()].flatMap(({ id, startMs, requests, handouts }): UseEvent[] => {
      const head = { subject: id, actor: { kind: 'system' as const } };
      const data = { credential_id: id, minute: isoInstant(startMs) };
      return [
        ...(requests.size === 0
          ? []
          : [{ kind: 'proxy.used' as const, ...head, data: { ...data, uses: writtenSums(requests) } }]),
        ...(handouts.size === 0
          ? []
          : [{ kind: 'credential.used' as const, ...head, data: { ...data, uses: [...handouts.values()] } }]),
      ];
    });
    this.#open.clear();
    this.#lastMinute = null;
    return events;
  }

  putBack(events: readonly UseEvent[]): void {
    for (const { kind, data } of events) {
      const open = this.#minuteOf(data.credential_id, instantMs(data.minute));
      if (kind === 'proxy.used') for (const sum of data.uses) addSum(open, sum);
      else for (const sum of data.uses) addHandouts(open.handouts, sum);
    }
  }

  #minuteOf(id: CredentialId, startMs: number): Minute {
    const last = this.#lastMinute;
    if (last?.id === id && last.startMs === startMs) return last;
    const key = `${id} ${startMs}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = { id, startMs, requests: new Map(), lastSum: null, handouts: new Map() };
      this.#open.set(key, open);
    }
    this.#lastMinute = open;
    return open;
  }
}

function startOfMinute(atMs: number): number {
  return atMs - (atMs % minuteMs);
}

type SameRequests = Omit<ProxyUseSum, 'count' | 'bytes_in' | 'bytes_out' | 'duration_ms' | 'last_at'>;

/** The sum of the requests that are like this one, which may be a new one of none. */
function sumFor(minute: Minute, same: SameRequests): RequestSum {
  const { lastSum, requests } = minute;
  if (lastSum !== null && isSame(lastSum, same)) return lastSum;
  const exact = requestKey(same);
  const isBeyond = requests.size >= mostSums && !requests.has(exact);
  const route = isBeyond ? anyRoute : same.route;
  const key = isBeyond ? requestKey({ ...same, route }) : exact;
  let sum = requests.get(key);
  if (sum === undefined) {
    const { token_id, app, generation, method, status, refusal } = same;
    const none = { count: 0, bytes_in: 0, bytes_out: 0, duration_ms: 0, lastAtMs: 0 };
    sum = { token_id, app, generation, method, route, status, refusal, ...none };
    requests.set(key, sum);
  }
  minute.lastSum = sum;
  return sum;
}

function isSame(one: SameRequests, other: SameRequests): boolean {
  return (
    one.token_id === other.token_id &&
    one.generation === other.generation &&
    one.method === other.method &&
    one.route === other.route &&
    one.status === other.status &&
    one.refusal === other.refusal
  );
}

function addSum(minute: Minute, added: ProxyUseSum): void {
  const sum = sumFor(minute, added);
  sum.count += added.count;
  sum.bytes_in += added.bytes_in;
  sum.bytes_out += added.bytes_out;
  sum.duration_ms += added.duration_ms;
  sum.lastAtMs = Math.max(sum.lastAtMs, instantMs(added.last_at));
}

function writtenSums(requests: ReadonlyMap<string, RequestSum>): ProxyUseSum[] {
  return [...requests.values()].map(({ lastAtMs, ...sum }) => ({ ...sum, last_at: isoInstant(lastAtMs) }));
}

function requestKey({ token_id, generation, method, route, status, refusal }: SameRequests): string {
  return `${token_id} ${generation} ${method} ${route} ${status} ${refusal ?? ''}`;
}

function addHandouts(sums: Map<string, Mutable<HandoutSum>>, sum: HandoutSum): void {
  const isNew = !sums.has(handoutKey(sum));
  const added = isNew && sums.size >= mostSums ? { ...sum, program: null } : { ...sum };
  const key = handoutKey(added);
  const before = sums.get(key);
  if (before === undefined) {
    sums.set(key, added);
    return;
  }
  before.count += added.count;
  if (added.last_at > before.last_at) before.last_at = added.last_at;
}

function handoutKey({ way, program, generation }: HandoutSum): string {
  return `${way} ${generation} ${program ?? ''}`;
}
