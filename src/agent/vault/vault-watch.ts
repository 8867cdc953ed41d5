import type { VaultStatus } from '../../contract/credential/credential-view.ts';
import { type VaultProblem, vaultTroubleOf } from '../../contract/credential/vault-problem.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import type { AgentText } from '../agent-text.ts';

/** Whether the vault works, as of its last use or check. */
export function vaultStatusOf(
  { kind, openedBy: key, problem }: Pick<VaultWatch, 'kind' | 'openedBy' | 'problem'>,
  text: Pick<AgentText, 'vaultDescription' | 'vaultProblem'>,
): VaultStatus {
  return {
    kind,
    ...(key === undefined ? {} : { key }),
    description: text.vaultDescription({ kind, key }),
    status: problem === null ? 'ok' : vaultTroubleOf(problem),
    message: problem === null ? null : text.vaultProblem(problem),
  };
}

/** Remembers whether the vault worked when it was last used, so that a status needs no further prompt. */
export class VaultWatch implements Vault {
  readonly #vault: Vault;
  readonly #listeners = new Set<() => void>();
  #trouble: VaultUnavailable | null = null;
  /** What the last contact found. */
  #absence: VaultUnavailable | null = null;

  constructor(vault: Vault) {
    this.#vault = vault;
    vault.onMoved?.(() => {
      // What was wrong with the other place says nothing of this one.
      this.#trouble = null;
      this.#absence = null;
      this.#tell();
    });
  }

  get kind(): Vault['kind'] {
    return this.#vault.kind;
  }

  get openedBy(): Vault['openedBy'] {
    return this.#vault.openedBy;
  }

  /** Why it could not be used the last time; null while it works. */
  get problem(): VaultProblem | null {
    return this.#trouble?.problem ?? null;
  }

  /**
   * Called when the vault starts to fail, when the reason changes, when it works again, and when its entries were moved. Returns a
   * function that unsubscribes.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Checks whether a file vault works, which may not have been used for days.
   *
   * A keychain is not checked. see decisions/leave-a-keychain-alone-until-it-is-needed.md
   */
  async checkFile(): Promise<void> {
    if (this.kind === 'file') await this.contact();
  }

  /** Checks whether there is a vault, before a person stores something in it. Does not reject because of the vault. */
  async contact(): Promise<void> {
    try {
      await this.#vault.contact();
      // A keychain that is there may still be locked.
      if (this.kind === 'file' || this.#trouble === this.#absence) this.#remember(null);
    } catch (error) {
      if (!(error instanceof VaultUnavailable)) throw error;
      this.#absence = error;
      this.#remember(error);
    }
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
      this.#remember(null);
      return result;
    } catch (error) {
      if (error instanceof VaultUnavailable) this.#remember(error);
      throw error;
    }
  }

  #remember(trouble: VaultUnavailable | null): void {
    const isNew = trouble?.code !== this.#trouble?.code;
    this.#trouble = trouble;
    if (isNew) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
