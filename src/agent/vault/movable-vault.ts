import type { Vault, VaultEntry } from '../../core/vault.ts';

/** A vault whose entries can be moved to another place while it is used. Calls wait meanwhile. */
export class MovableVault implements Vault {
  #vault: Vault;
  #move: Promise<unknown> | null = null;
  readonly #calls = new Set<Promise<unknown>>();
  readonly #written = new Map<string, VaultEntry>();
  readonly #listeners = new Set<() => void>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  get kind(): Vault['kind'] {
    return this.#vault.kind;
  }

  get openedBy(): Vault['openedBy'] {
    return this.#vault.openedBy;
  }

  read(entry: VaultEntry): Promise<string | null> {
    return this.#call((vault) => vault.read(entry));
  }

  write(entry: VaultEntry, value: string): Promise<void> {
    this.#written.set(JSON.stringify([entry.service, entry.account]), entry);
    return this.#call((vault) => vault.write(entry, value));
  }

  remove(entry: VaultEntry): Promise<void> {
    return this.#call((vault) => vault.remove(entry));
  }

  contact(): Promise<void> {
    return this.#call((vault) => vault.contact());
  }

  onMoved(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Uses the vault that `move` resolves with from then on. It begins when no call is under way.
   */
  async move(move: UseAlone<Vault>): Promise<void> {
    await this.alone(async (from, written) => {
      this.#vault = await move(from, written);
    });
    for (const listener of this.#listeners) listener();
  }

  /** Uses the vault while no call is under way and none begins. */
  async alone<T>(use: UseAlone<T>): Promise<T> {
    const using = this.#useAfter(this.#move, use);
    this.#move = using;
    try {
      return await using;
    } finally {
      if (this.#move === using) this.#move = null;
    }
  }

  async #useAfter<T>(earlier: Promise<unknown> | null, use: UseAlone<T>): Promise<T> {
    await settled(earlier);
    await Promise.allSettled(this.#calls);
    return use(this.#vault, [...this.#written.values()]);
  }

  async #call<T>(use: (vault: Vault) => Promise<T>): Promise<T> {
    while (this.#move !== null) await settled(this.#move);
    const call = use(this.#vault);
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }
}

/** `written`: the entries that were written since the start; some of them may not be recorded anywhere yet. */
type UseAlone<T> = (vault: Vault, written: readonly VaultEntry[]) => Promise<T>;

/** The caller of the move is told why it failed. */
async function settled(move: Promise<unknown> | null): Promise<void> {
  await move?.catch(() => undefined);
}
