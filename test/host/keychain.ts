import { type Vault, type VaultEntry, VaultUnavailable } from '../../src/core/vault.ts';

/** A keychain that outlives the programs that use it. */
export class Keychain implements Vault {
  readonly kind = 'keychain';
  readonly stored = new Map<string, string>();
  isLocked = false;
  /** Writes that are accepted and lost. */
  losesWrites = false;

  async read({ account }: VaultEntry): Promise<string | null> {
    this.#assertUnlocked();
    return this.stored.get(account) ?? null;
  }

  async write({ account }: VaultEntry, value: string): Promise<void> {
    this.#assertUnlocked();
    if (!this.losesWrites) this.stored.set(account, value);
  }

  async remove({ account }: VaultEntry): Promise<void> {
    this.#assertUnlocked();
    this.stored.delete(account);
  }

  async contact(): Promise<void> {
    // A locked keychain is there.
  }

  #assertUnlocked(): void {
    if (this.isLocked) throw new VaultUnavailable({ code: 'keychain_locked', platform: 'linux' });
  }
}
