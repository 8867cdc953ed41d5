import type { VaultProblem, VaultTrouble } from '../../src/contract/credential/vault-problem.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../src/core/vault.ts';
import { assertEntry, assertValue } from '../../src/agent/vault/storable.ts';

/** A received call. Values are left out: the content is read from the vault. */
export interface VaultCall {
  readonly kind: 'read' | 'write' | 'remove';
  readonly entry: VaultEntry;
}

/**
 * A vault in memory. It passes the suite of the real ones.
 *
 * `onCall` runs before a call takes effect, in order: it may record the call, delay it by a promise, throw
 * instead, or `fail` the vault from this call on.
 */
export class MemoryVault implements Vault {
  readonly kind = 'memory';
  onCall: (call: VaultCall) => void | Promise<void>;
  readonly #values = new Map<string, string>();
  #trouble: VaultTrouble | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(onCall: (call: VaultCall) => void | Promise<void> = () => undefined) {
    this.onCall = onCall;
  }

  /** Every call is refused with a problem of this kind until `heal`. Nothing is lost. */
  fail(code: VaultTrouble): void {
    this.#trouble = code;
  }

  heal(): void {
    this.#trouble = null;
  }

  entries(): VaultEntry[] {
    return [...this.#values.keys()].map((key) => {
      const [service, account] = JSON.parse(key) as [string, string];
      return { service, account };
    });
  }

  read(entry: VaultEntry): Promise<string | null> {
    return this.#runExclusive({ kind: 'read', entry }, () => this.#values.get(keyOf(entry)) ?? null);
  }

  write(entry: VaultEntry, value: string): Promise<void> {
    return this.#runExclusive({ kind: 'write', entry }, () => {
      assertValue(value);
      this.#values.set(keyOf(entry), value);
    });
  }

  remove(entry: VaultEntry): Promise<void> {
    return this.#runExclusive({ kind: 'remove', entry }, () => {
      this.#values.delete(keyOf(entry));
    });
  }

  contact(): Promise<void> {
    if (this.#trouble === null) return Promise.resolve();
    return Promise.reject(new VaultUnavailable(vaultProblems[this.#trouble]));
  }

  #runExclusive<T>(call: VaultCall, effect: () => T): Promise<T> {
    const done = this.#last.then(async () => {
      assertEntry(call.entry);
      await this.onCall(call);
      if (this.#trouble !== null) throw new VaultUnavailable(vaultProblems[this.#trouble]);
      return effect();
    });
    this.#last = done.catch(() => undefined); // reported to this call, not to the next
    return done;
  }
}

/** An example problem of each kind. */
export const vaultProblems: Readonly<Record<VaultTrouble, VaultProblem>> = {
  locked: { code: 'keychain_locked', platform: 'linux' },
  absent: { code: 'no_session_bus' },
  failed: { code: 'keychain_failed', said: 'It is broken' },
};

function keyOf({ service, account }: VaultEntry): string {
  return JSON.stringify([service, account]);
}
