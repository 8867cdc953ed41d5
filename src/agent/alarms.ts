import TinyQueue from 'tinyqueue';
import type { CredentialId } from '../contract/credential.ts';

interface Alarm {
  readonly id: CredentialId;
  readonly atMs: number;
}

/** When each credential is next looked after: one instant each, the soonest first. Wall-clock milliseconds. */
export class Alarms {
  readonly #queue = new TinyQueue<Alarm>([], (a, b) => a.atMs - b.atMs);
  /** The one alarm of each credential that counts; others in the queue are old. */
  readonly #atMsOf = new Map<CredentialId, number>();

  /** The soonest instant; null without any. */
  get soonestMs(): number | null {
    return this.#first()?.atMs ?? null;
  }

  /** In place of the one that it had. Null: none. */
  set(id: CredentialId, atMs: number | null): void {
    if (atMs === this.#atMsOf.get(id)) return;
    if (atMs === null) {
      this.#atMsOf.delete(id);
      return;
    }
    this.#atMsOf.set(id, atMs);
    this.#queue.push({ id, atMs });
  }

  /** Takes the soonest one out, if its instant has come. */
  takeUntil(nowMs: number): CredentialId | null {
    const first = this.#first();
    if (first === undefined || first.atMs > nowMs) return null;
    this.#queue.pop();
    this.#atMsOf.delete(first.id);
    return first.id;
  }

  /** The first alarm that still counts. */
  #first(): Alarm | undefined {
    for (let first = this.#queue.peek(); first !== undefined; first = this.#queue.peek()) {
      if (this.#atMsOf.get(first.id) === first.atMs) return first;
      this.#queue.pop();
    }
    return undefined;
  }
}
