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
type RequestSum = Mutable<ProxyUseSum>;

/** One minute of one credential. */
interface Minute {
  readonly id: CredentialId;
  readonly minute: string;
  readonly requests: Map<string, RequestSum>;
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
  /** The newest last. */
  #recent: { readonly id: CredentialId; readonly use: ProxyUse }[] = [];
  /** Not yet in the journal: by credential and minute, then by what is equal. */
  readonly #open = new Map<string, Minute>();

  addRequest(id: CredentialId, use: ProxyUse): void {
    this.#recent.push({ id, use });
    if (this.#recent.length > 2 * mostRecent) this.#recent = this.#recent.slice(-mostRecent);
    const { at, duration_ms, bytes_in, bytes_out, ...same } = use;
    const sum = { ...same, count: 1, bytes_in, bytes_out, duration_ms, last_at: at };
    addRequests(this.#minuteOf(id, startOfMinute(at)).requests, sum);
  }

  addHandout(id: CredentialId, { at, ...same }: Handout): void {
    addHandouts(this.#minuteOf(id, startOfMinute(at)).handouts, { ...same, count: 1, last_at: at });
  }

  /** Of one credential, newest first. */
  recentRequests(id: CredentialId, most: number): ProxyUse[] {
    const found: ProxyUse[] = [];
    for (let at = this.#recent.length - 1; at >= 0 && found.length < most; at -= 1) {
      const one = this.#recent[at];
      if (one?.id === id) found.push(one.use);
    }
    return found;
  }

  pending(id: CredentialId): PendingUses {
    const minutes = [...this.#open.values()].filter((one) => one.id === id);
    return {
      requests: minutes.flatMap(({ requests }) => [...requests.values()]),
      handouts: minutes.flatMap(({ handouts }) => [...handouts.values()]),
    };
  }

  /** Takes everything out, as events; `putBack` returns it when the disk did not take them. */
  take(): UseEvent[] {
    const events = [...this.#open.values()].flatMap(({ id, minute, requests, handouts }): UseEvent[] => {
      const head = { subject: id, actor: { kind: 'system' as const } };
      const data = { credential_id: id, minute };
      return [
        ...(requests.size === 0
          ? []
          : [{ kind: 'proxy.used' as const, ...head, data: { ...data, uses: [...requests.values()] } }]),
        ...(handouts.size === 0
          ? []
          : [{ kind: 'credential.used' as const, ...head, data: { ...data, uses: [...handouts.values()] } }]),
      ];
    });
    this.#open.clear();
    return events;
  }

  putBack(events: readonly UseEvent[]): void {
    for (const { kind, data } of events) {
      const open = this.#minuteOf(data.credential_id, data.minute);
      if (kind === 'proxy.used') for (const sum of data.uses) addRequests(open.requests, sum);
      else for (const sum of data.uses) addHandouts(open.handouts, sum);
    }
  }

  #minuteOf(id: CredentialId, minute: string): Minute {
    const key = `${id} ${minute}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const open = { id, minute, requests: new Map(), handouts: new Map() };
    this.#open.set(key, open);
    return open;
  }
}

function startOfMinute(at: string): string {
  const atMs = instantMs(at);
  return isoInstant(atMs - (atMs % minuteMs));
}

function addRequests(sums: Map<string, RequestSum>, sum: ProxyUseSum): void {
  const exact = requestKey(sum);
  const isNew = !sums.has(exact);
  const added: RequestSum = isNew && sums.size >= mostSums ? { ...sum, route: anyRoute } : { ...sum };
  const key = requestKey(added);
  const before = sums.get(key);
  if (before === undefined) {
    sums.set(key, added);
    return;
  }
  before.count += added.count;
  before.bytes_in += added.bytes_in;
  before.bytes_out += added.bytes_out;
  before.duration_ms += added.duration_ms;
  if (added.last_at > before.last_at) before.last_at = added.last_at;
}

function requestKey({ token_id, generation, method, route, status, refusal }: ProxyUseSum): string {
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
