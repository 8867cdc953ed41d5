import {
  type VaultProblem,
  type VaultTrouble,
  vaultTroubleOf,
} from '../contract/credential/vault-problem.ts';

/** Where a vault stores its entries. */
export type VaultKind = 'keychain' | 'file' | 'postgres' | 'memory';

/**
 * The port to the store of secrets. `agent/vault` implements it; tests have a fake that passes the same suite.
 *
 * An entry is identified by `service` and `account`, as in every OS keychain; ours have the service `rotavox`. Every
 * method rejects with `VaultUnavailable` when the vault cannot be used. A
 * `write` that resolved survives a crash and a restart. A `write` that rejected may have been carried out, or may still
 * be before the next call, so callers read back and write again. Calls take effect in the order in which they were
 * made. Names and values are non-empty texts without NUL or lone surrogates; anything else is a bug of the caller.
 */
export interface Vault {
  readonly kind: VaultKind;
  /** What opens an encrypted file: a key in a file beside it, or a passphrase that a person chose. */
  readonly openedBy?: 'file' | 'passphrase' | undefined;
  /** The value, or null when there is no such entry. */
  read(entry: VaultEntry): Promise<string | null>;
  write(entry: VaultEntry, value: string): Promise<void>;
  /** Deletes an entry; does nothing if there is none. */
  remove(entry: VaultEntry): Promise<void>;
  /** Only whether there is a vault at all. Opens no prompt, so a locked keychain is there. */
  contact(): Promise<void>;
  /** Calls back when the entries are at another place from now on. Absent where they are never moved. */
  onMoved?(listener: () => void): void;
}

export interface VaultEntry {
  readonly service: string;
  readonly account: string;
}

/** The vault cannot be used now. Its `message` is for logs; `problem` says what happened, and contains no secret. */
export class VaultUnavailable extends Error {
  readonly code: VaultTrouble;
  readonly problem: VaultProblem;

  constructor(problem: VaultProblem, options?: { cause: unknown }) {
    super(`The vault cannot be used: ${problem.code}`, options);
    this.name = 'VaultUnavailable';
    this.code = vaultTroubleOf(problem);
    this.problem = problem;
  }
}
