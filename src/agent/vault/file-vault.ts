import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import { runExclusive } from '../run-exclusive.ts';
import {
  aadOf,
  emptyVaultFile,
  findSealed,
  hasCost,
  keyFileCost,
  keysOfChange,
  newSalt,
  opens,
  parseVaultFile,
  type PassphraseChange,
  printVaultFile,
  removeLeftovers,
  replaceVaultFile,
  saltOf,
  type ScryptCost,
  scryptCost,
  type VaultFile,
  vaultFileName,
  VaultKey,
  withEntry,
  withoutEntry,
} from './vault-file.ts';
import { assertEntry, assertValue } from './storable.ts';

export interface FileVaultOptions {
  /** The folder of `vault.json`; created if it does not exist. */
  readonly path: string;
  readonly passphrase: string;
  /** The file that holds the passphrase as a key, where no person knows it. */
  readonly keyFile?: string | undefined;
  /** The cost of its key. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
}

/**
 * One encrypted file, for a machine without a keychain.
 *
 * It protects a stolen disk or backup as far as the passphrase is good. It does not protect from a program that runs as
 * the same user, and an old copy of the file, or of one entry in it, can still be opened. The names of entries are readable.
 *
 * Every call reads the file again, and calls run one after another. Several processes may read at the
 * same time; only one may write, which the lock of the data folder ensures.
 */
export class FileVault implements Vault {
  readonly kind = 'file';
  readonly #path: string;
  readonly #key: VaultKey;
  readonly #cost: ScryptCost;
  readonly #keyFile: string | undefined;

  private constructor(path: string, key: VaultKey, cost: ScryptCost, keyFile: string | undefined) {
    this.#path = path;
    this.#key = key;
    this.#cost = cost;
    this.#keyFile = keyFile;
  }

  get openedBy(): 'file' | 'passphrase' {
    return this.#keyFile === undefined ? 'passphrase' : 'file';
  }

  /**
   * Opens the vault of a folder, or creates an empty one with this passphrase.
   *
   * The key is derived once, in about half a second off the main thread; the passphrase is not kept. Rejects with
   * `locked` for a wrong passphrase and `failed` for a file that is damaged, newer or not accessible; then nothing was
   * changed.
   */
  static async open({
    path: folder,
    passphrase,
    keyFile,
    cost = scryptCost,
  }: FileVaultOptions): Promise<FileVault> {
    const path = join(folder, vaultFileName);
    await attempt(path, async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeLeftovers(path);
    });
    const found = await readVaultFile(path, cost);
    if (found !== null) {
      const key = await VaultKey.derive(passphrase, saltOf(found), cost);
      const vault = new FileVault(path, key, cost, keyFile);
      vault.#assertOpens(found);
      return vault;
    }
    const salt = newSalt();
    const key = await VaultKey.derive(passphrase, salt, cost);
    await attempt(path, () => replaceVaultFile(path, printVaultFile(emptyVaultFile(key, salt, cost))));
    return new FileVault(path, key, cost, keyFile);
  }

  /**
   * Seals all entries of a vault with the key of another passphrase, and replaces its file once. Nobody else may use it meanwhile.
   *
   * Resolves with their number, or with null when the new passphrase opens the vault already. Rejects like `open`, and for an entry
   * that the passphrase does not open.
   */
  static async changePassphrase(folder: string, change: PassphraseChange): Promise<number | null> {
    const path = join(folder, vaultFileName);
    await attempt(path, () => removeLeftovers(path));
    const { cost = scryptCost, newCost = cost } = change;
    const found = await readVaultFile(path, cost, newCost);
    if (found === null) throw new VaultUnavailable({ code: 'vault_file_missing', path });
    const keys = await keysOfChange(found, path, change);
    if (keys === null) return null;
    const entries = found.entries.map(({ service, account, ...sealed }) => {
      const aad = aadOf({ service, account });
      const value = keys.old.open(sealed, aad);
      if (value === null) throw new VaultUnavailable({ code: 'vault_entry_damaged', path, service, account });
      return { service, account, ...keys.changed.seal(value, aad) };
    });
    const content = printVaultFile({ ...found, ...keys.head, entries });
    await attempt(path, () => replaceVaultFile(path, content));
    return entries.length;
  }

  read(entry: VaultEntry): Promise<string | null> {
    return this.#runExclusive(async () => {
      assertEntry(entry);
      const sealed = findSealed(await this.#readFile(), entry);
      if (sealed === undefined) return null;
      const value = this.#key.open(sealed, aadOf(entry));
      if (value !== null) return value;
      throw new VaultUnavailable({ code: 'vault_entry_damaged', path: this.#path, ...entry });
    });
  }

  contact(): Promise<void> {
    return this.#runExclusive(async () => {
      await this.#readFile();
    });
  }

  write(entry: VaultEntry, value: string): Promise<void> {
    return this.writeAll([{ entry, value }]);
  }

  /** Writes many entries at once, or none. */
  writeAll(values: readonly { readonly entry: VaultEntry; readonly value: string }[]): Promise<void> {
    return this.#runExclusive(async () => {
      let file = await this.#readFile();
      for (const { entry, value } of values) {
        assertEntry(entry);
        assertValue(value);
        file = withEntry(file, entry, this.#key.seal(value, aadOf(entry)));
      }
      await this.#replaceFile(file);
    });
  }

  remove(entry: VaultEntry): Promise<void> {
    return this.#runExclusive(async () => {
      assertEntry(entry);
      const file = await this.#readFile();
      if (findSealed(file, entry) !== undefined) await this.#replaceFile(withoutEntry(file, entry));
    });
  }

  #runExclusive<T>(job: () => Promise<T>): Promise<T> {
    return runExclusive(`vault ${this.#path}`, job);
  }

  async #readFile(): Promise<VaultFile> {
    const file = await readVaultFile(this.#path, this.#cost);
    if (file === null) {
      throw new VaultUnavailable({ code: 'vault_file_missing', path: this.#path });
    }
    this.#assertOpens(file);
    return file;
  }

  #replaceFile(file: VaultFile): Promise<void> {
    return attempt(this.#path, () => replaceVaultFile(this.#path, printVaultFile(file)));
  }

  #assertOpens(file: VaultFile): void {
    if (opens(this.#key, file)) return;
    const path = this.#path;
    const keyFile = this.#keyFile;
    throw new VaultUnavailable(
      keyFile === undefined ? { code: 'wrong_passphrase', path } : { code: 'key_file_wrong', path, keyFile },
    );
  }
}

/** What can be read of a vault without its key. */
export interface VaultOutline {
  readonly openedBy: NonNullable<Vault['openedBy']>;
  readonly entries: readonly VaultEntry[];
}

/** The outline of the vault in a folder; null where there is none. Rejects like `open`. */
export async function readVaultOutline(folder: string, cost = scryptCost): Promise<VaultOutline | null> {
  const found = await readVaultFile(join(folder, vaultFileName), cost, keyFileCost);
  if (found === null) return null;
  return {
    openedBy: hasCost(found, keyFileCost) ? 'file' : 'passphrase',
    entries: found.entries.map(({ service, account }) => ({ service, account })),
  };
}

async function readVaultFile(path: string, ...costs: readonly ScryptCost[]): Promise<VaultFile | null> {
  const text = await attempt(path, () => readIfThere(path));
  return text === null ? null : parseVaultFile(text, path, ...costs);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A refusal of the system as an error of the vault. */
export async function attempt<T>(path: string, access: () => Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (cause) {
    const { code: systemCode = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new VaultUnavailable({ code: 'vault_file_unusable', path, systemCode }, { cause });
  }
}
