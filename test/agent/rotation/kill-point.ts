/**
 * Where a program that rotates a credential ends: wrappers around its ports that kill it there.
 *
 * A process ends before the call that kills it returns: nothing is flushed, closed or cleaned up. An agent in the test's
 * own process is cut off from its ports instead: they do nothing for it any more.
 */
import type { EventKind } from '../../../src/contract/history/audit-event.ts';
import { type Ledger, ledgerWith } from '../../../src/core/ledger.ts';
import type { Vault, VaultEntry } from '../../../src/core/vault.ts';

/** The `nth` time, counted from 1 and from the moment at which the point is set. */
export type KillPoint = { readonly when: 'before' | 'after'; readonly nth: number } & (
  | { readonly on: 'event'; readonly kind: EventKind }
  | {
      readonly on: 'vault';
      readonly call: 'read' | 'write' | 'remove';
      readonly entry: 'current' | 'pending';
    }
);

export class Killer {
  readonly #end: () => void;
  readonly #cutsOff: boolean;
  #hasEnded = false;
  #point: KillPoint | null = null;
  #count = 0;

  /** `end` ends the program: by SIGKILL; by default it is only cut off. Without `cutsOff` it is asked to stop. */
  constructor(end: () => void = () => undefined, { cutsOff = true } = {}) {
    this.#end = end;
    this.#cutsOff = cutsOff;
  }

  get isDead(): boolean {
    return this.#hasEnded && this.#cutsOff;
  }

  kill(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#end();
  }

  set(point: KillPoint | null): void {
    this.#point = point;
    this.#count = 0;
  }

  /** `before` an event: it was decided but not stored. `after`: it is on disk, but the caller does not know. */
  ledger(ledger: Ledger): Ledger {
    ledger.subscribe(({ kind }) => {
      this.#pass('after', { on: 'event', kind });
    });
    return ledgerWith(ledger, {
      transact: (decide) =>
        this.#whileAlive(() =>
          ledger.transact((state, nowMs) => {
            const decision = decide(state, nowMs);
            for (const { kind } of decision.events) this.#pass('before', { on: 'event', kind });
            this.#assertAlive();
            return decision;
          }),
        ),
    });
  }

  vault(vault: Vault): Vault {
    const around = async <T>(
      call: 'read' | 'write' | 'remove',
      { service, account }: VaultEntry,
      use: () => Promise<T>,
    ): Promise<T> => {
      const entry = account.endsWith(' (pending)') ? 'pending' : 'current';
      const isOurs = service === 'rotavox';
      if (isOurs) this.#pass('before', { on: 'vault', call, entry });
      return this.#whileAlive(async () => {
        const result = await use();
        if (isOurs) this.#pass('after', { on: 'vault', call, entry });
        return result;
      });
    };
    return {
      kind: vault.kind,
      read: (entry) => around('read', entry, () => vault.read(entry)),
      write: (entry, value) => around('write', entry, () => vault.write(entry, value)),
      remove: (entry) => around('remove', entry, () => vault.remove(entry)),
      contact: () => vault.contact(),
    };
  }

  #pass(when: KillPoint['when'], here: Partial<KillPoint>): void {
    const point = this.#point;
    if (point === null) return;
    const isHere = Object.entries({ when, ...here }).every(
      ([key, value]) => Reflect.get(point, key) === value,
    );
    if (!isHere) return;
    this.#count += 1;
    if (this.#count === point.nth) this.kill();
  }

  /** Runs something and returns its result; after the end it does nothing and rejects, so that the agent releases its locks. */
  async #whileAlive<T>(use: () => Promise<T>): Promise<T> {
    this.#assertAlive();
    const result = await use();
    this.#assertAlive();
    return result;
  }

  #assertAlive(): void {
    if (this.isDead) throw new Error('The agent is dead');
  }
}
