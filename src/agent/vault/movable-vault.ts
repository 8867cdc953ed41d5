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
   * Uses the vault that `move` resolves with from then on. It begins when no call is under way, and gets the entries that were written
   * here: some of them may not be recorded anywhere yet.
   */
  async move(move: (vault: Vault, written: readonly VaultEntry[]) => Promise<Vault>): Promise<void> {
    const moving = this.#moveAfter(this.#move, move);
    this.#move = moving;
    try {
      await moving;
    } finally {
      if (this.#move === moving) this.#move = null;
    }
  }

  async #moveAfter(
    earlier: Promise<unknown> | null,
    move: (vault: Vault, written: readonly VaultEntry[]) => Promise<Vault>,
  ): Promise<void> {
    await settled(earlier);
    await Promise.allSettled(this.#calls);
    this.#vault = await move(this.#vault, [...this.#written.values()]);
    for (const listener of this.#listeners) listener();
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

/** The caller of the move is told why it failed. */
async function settled(move: Promise<unknown> | null): Promise<void> {
  await move?.catch(() => undefined);
}
