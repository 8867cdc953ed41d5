import type { CredentialId } from '../../contract/credential.ts';
import type { ProxyUse, ProxyUseSum } from '../../contract/proxy.ts';
import { instantMs, isoInstant } from '../iso-instant.ts';
import type { EventDraft } from '../../contract/audit-event.ts';

const minuteMs = 60_000;
/** How many requests are remembered one by one, of all credentials. */
const mostRecent = 2_000;
/** How many different sums one credential has in a minute; beyond it routes are no longer distinguished. */
const mostSums = 200;
const anyRoute = '/**';

type Sum = { -readonly [K in keyof ProxyUseSum]: ProxyUseSum[K] };

/**
 * The requests of the proxy: the newest one by one, and all of them as sums of minutes, which go into the journal so that it
 * does not grow with each request.
 */
export class UseRecord {
  /** The newest last. */
  #recent: { readonly id: CredentialId; readonly use: ProxyUse }[] = [];
  /** Not yet in the journal: by credential and minute, then by what is equal. */
  readonly #open = new Map<string, { id: CredentialId; minute: string; sums: Map<string, Sum> }>();

  add(id: CredentialId, use: ProxyUse): void {
    this.#recent.push({ id, use });
    if (this.#recent.length > 2 * mostRecent) this.#recent = this.#recent.slice(-mostRecent);
    const atMs = instantMs(use.at);
    const minute = isoInstant(atMs - (atMs % minuteMs));
    const key = `${id} ${minute}`;
    const open = this.#open.get(key) ?? { id, minute, sums: new Map<string, Sum>() };
    this.#open.set(key, open);
    const { at, duration_ms, bytes_in, bytes_out, ...same } = use;
    addSum(open.sums, { ...same, count: 1, bytes_in, bytes_out, duration_ms, last_at: at });
  }

  /** Of one credential, newest first. */
  recent(id: CredentialId, most: number): ProxyUse[] {
    const found: ProxyUse[] = [];
    for (let at = this.#recent.length - 1; at >= 0 && found.length < most; at -= 1) {
      const one = this.#recent[at];
      if (one?.id === id) found.push(one.use);
    }
    return found;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** What the journal does not have yet. */
  pending(id: CredentialId): ProxyUseSum[] {
    return [...this.#open.values()].flatMap((one) => (one.id === id ? [...one.sums.values()] : []));
  }

  /** Takes everything out, as events; `putBack` returns it when the disk did not take them. */
  take(): EventDraft<'proxy.used'>[] {
    const events = [...this.#open.values()].map(({ id, minute, sums }) => ({
      kind: 'proxy.used' as const,
      subject: id,
      actor: { kind: 'system' as const },
      data: { credential_id: id, minute, uses: [...sums.values()] },
    }));
    this.#open.clear();
    return events;
  }

  putBack(events: readonly EventDraft<'proxy.used'>[]): void {
    for (const { data } of events) {
      const key = `${data.credential_id} ${data.minute}`;
      const open = this.#open.get(key) ?? {
        id: data.credential_id,
        minute: data.minute,
        sums: new Map<string, Sum>(),
      };
      this.#open.set(key, open);
      for (const sum of data.uses) addSum(open.sums, sum);
    }
  }
}

function addSum(sums: Map<string, Sum>, sum: ProxyUseSum): void {
  const exact = keyOf(sum);
  const isNew = !sums.has(exact);
  const added: Sum = isNew && sums.size >= mostSums ? { ...sum, route: anyRoute } : { ...sum };
  const key = keyOf(added);
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

function keyOf({ token_id, generation, method, route, status, refusal }: ProxyUseSum): string {
  return `${token_id} ${generation} ${method} ${route} ${status} ${refusal ?? ''}`;
}
