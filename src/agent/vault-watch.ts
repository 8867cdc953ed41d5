import type { VaultStatus } from '../contract/credential-view.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../core/vault.ts';
import { describeVault } from './vault/open-vault.ts';

/** Remembers how the vault was when it was last used, so that a status costs no further prompt. */
export class VaultWatch implements Vault {
  readonly #vault: Vault;
  #trouble: VaultUnavailable | null = null;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  get kind(): Vault['kind'] {
    return this.#vault.kind;
  }

  status(): VaultStatus {
    const trouble = this.#trouble;
    return {
      kind: this.kind,
      description: describeVault(this.kind),
      status: trouble?.code ?? 'ok',
      message: trouble?.message ?? null,
    };
  }

  read(entry: VaultEntry): Promise<string | null> {
    return this.#watch(() => this.#vault.read(entry));
  }

  write(entry: VaultEntry, value: string): Promise<void> {
    return this.#watch(() => this.#vault.write(entry, value));
  }

  remove(entry: VaultEntry): Promise<void> {
    return this.#watch(() => this.#vault.remove(entry));
  }

  async #watch<T>(use: () => Promise<T>): Promise<T> {
    try {
      const result = await use();
      this.#trouble = null;
      return result;
    } catch (error) {
      if (error instanceof VaultUnavailable) this.#trouble = error;
      throw error;
    }
  }
}
