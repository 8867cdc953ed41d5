import type Keytar from 'keytar';
import { probeService } from '../../contract/credential.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import { CallQueue, type LimitedCall } from './call-queue.ts';
import { keychainNotLoaded, keychainTrouble } from './keychain-trouble.ts';
import { assertEntry, assertValue } from './storable.ts';

/** The functions of keytar that we use. */
export type Keychain = Pick<
  typeof Keytar,
  'getPassword' | 'setPassword' | 'deletePassword' | 'findCredentials'
>;

export interface KeychainVaultOptions {
  /** The time limit of one call; a person may be typing a password meanwhile, but other calls should not wait for that. */
  readonly limitMs?: number;
  readonly platform?: NodeJS.Platform;
  readonly load?: () => Promise<Keychain>;
}

type Call = <T>(use: (keychain: Keychain) => Promise<T>) => Promise<T>;

/** Shows whether a Linux keychain is unlocked; see `proveUnlocked`. It contains no secret. */
const probe = { service: probeService, account: 'unlocked' } as const;
const probeValue = 'Rotavox reads this entry to see whether the keychain is unlocked. It is no secret.';

/** CRED_MAX_CREDENTIAL_BLOB_SIZE of wincred.h. */
const windowsMaxBytes = 2_560;

/**
 * The keychain of the operating system: Secret Service, macOS Keychain, Windows Credential Manager.
 *
 * Calls run one after another. A call that exceeds its limit, for example while an unlock prompt is open, is
 * `locked`, and so is every later one until it returns. A write that was abandoned like this may still happen:
 * after `locked` for a write, read back later and write again. A late write never stores a newer value
 * than a later call.
 *
 * Windows finds an entry by `service/account`, ignoring case, and stores 2,560 bytes at most. On Linux
 * only entries of the schema `org.freedesktop.Secret.Generic` are found; an entry that `secret-tool store` made without a
 * schema gets it when gnome-keyring restarts, and then exists beside ours under the same names until it is cleared.
 */
export class KeychainVault implements Vault {
  readonly kind = 'keychain';
  readonly #calls: CallQueue;
  readonly #platform: NodeJS.Platform;
  readonly #load: () => Promise<Keychain>;
  #keychain: Keychain | null = null;

  constructor({
    limitMs = 15_000,
    platform = process.platform,
    load = loadKeytar,
  }: KeychainVaultOptions = {}) {
    this.#calls = new CallQueue(limitMs);
    this.#platform = platform;
    this.#load = load;
  }

  async read(entry: VaultEntry): Promise<string | null> {
    assertEntry(entry);
    return this.#run(async (call) => {
      const get = () => call((keychain) => keychain.getPassword(entry.service, entry.account));
      const value = await get();
      if (value !== null || !this.#hidesThatItIsLocked) return value;
      await proveUnlocked(call);
      return get();
    });
  }

  async write(entry: VaultEntry, value: string): Promise<void> {
    assertEntry(entry);
    assertValue(value);
    this.#assertFits(value);
    await this.#run((call) => call((keychain) => keychain.setPassword(entry.service, entry.account, value)));
  }

  async remove(entry: VaultEntry): Promise<void> {
    assertEntry(entry);
    await this.#run(async (call) => {
      const take = () => call((keychain) => keychain.deletePassword(entry.service, entry.account));
      if ((await take()) || !this.#hidesThatItIsLocked) return;
      await proveUnlocked(call);
      await take();
    });
  }

  async contact(): Promise<void> {
    await this.#run(() => Promise.resolve());
  }

  async #run<T>(job: (call: Call) => Promise<T>): Promise<T> {
    try {
      return await this.#calls.run(async (limited) => {
        const keychain = (this.#keychain ??= await this.#connect(limited));
        return job((use) => limited(() => use(keychain)));
      });
    } catch (error) {
      if (error instanceof VaultUnavailable) throw error;
      throw keychainTrouble(error, this.#platform, process.env);
    }
  }

  /**
   * Loads keytar, and on Linux makes the first contact by a search that finds nothing.
   *
   * After such a search, libsecret notices through GLib's main loop, which Electron runs, when the keychain
   * restarts; after any other first call it uses the old one for the life of the process. Without Electron
   * nothing runs that loop, and a person has to restart us (libsecret 0.20.5, keytar 7.10.6).
   */
  async #connect(limited: LimitedCall): Promise<Keychain> {
    let keychain: Keychain;
    try {
      keychain = await this.#load();
    } catch (cause) {
      throw keychainNotLoaded(cause, this.#platform);
    }
    if (this.#platform === 'linux') await limited(() => keychain.findCredentials('rotavox-first-contact'));
    return keychain;
  }

  /** https://github.com/atom/node-keytar/issues/422: no difference between “locked” and “no such entry”. */
  get #hidesThatItIsLocked(): boolean {
    return this.#platform !== 'darwin' && this.#platform !== 'win32';
  }

  #assertFits(value: string): void {
    if (this.#platform !== 'win32' || Buffer.byteLength(value) <= windowsMaxBytes) return;
    throw new VaultUnavailable({ code: 'token_too_long', limitBytes: windowsMaxBytes });
  }
}

/**
 * Rejects while the keychain is locked, for example because its prompt was dismissed.
 *
 * A locked Secret Service answers “no such entry” for existing entries. So such an answer counts only after
 * a probe entry was read, or, the first time, written, which a locked service refuses.
 */
async function proveUnlocked(call: Call): Promise<void> {
  const found = await call((keychain) => keychain.getPassword(probe.service, probe.account));
  if (found === null)
    await call((keychain) => keychain.setPassword(probe.service, probe.account, probeValue));
}

/** Loaded at first use: if its native part cannot be loaded, everything else still works. */
async function loadKeytar(): Promise<Keychain> {
  return (await import('keytar')).default;
}
