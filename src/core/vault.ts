import { type VaultProblem, type VaultTrouble, vaultTroubleOf } from '../contract/vault-problem.ts';

/** Where a vault stores its values. */
export type VaultKind = 'keychain' | 'file' | 'memory';

/**
 * The port to the place where secret values live. `agent/vault` implements it; tests have a fake that passes the same
 * suite.
 *
 * An entry is found by `service` and `account`, as in every OS keychain; ours have the service `rotavox`. Every method
 * rejects with `VaultUnavailable` when the vault cannot be used, and never falls back to another place. A `write` that
 * resolved survives a crash and a restart; one that was rejected may have happened, or may still happen before the next
 * call does, so whoever wrote reads back and writes again. Calls take effect in the order in which they were made. Names
 * and values are texts, not empty, without NUL or half a surrogate pair; anything else is a bug of the caller.
 */
export interface Vault {
  readonly kind: VaultKind;
  /** The value, or null when there is no such entry. */
  read(entry: VaultEntry): Promise<string | null>;
  write(entry: VaultEntry, value: string): Promise<void>;
  /** Takes an entry away; quietly does nothing when there is none. */
  remove(entry: VaultEntry): Promise<void>;
}

export interface VaultEntry {
  readonly service: string;
  readonly account: string;
}

/** The vault cannot be used now. Its `message` is for logs; `problem` says what happened, and holds no secret. */
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
