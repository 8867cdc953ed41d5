import type Keytar from 'keytar';
import { probeService, vaultService } from '../../contract/credential/credential.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import { CallQueue, type LimitedCall } from './call-queue.ts';
import { keychainNotLoaded, keychainTrouble } from './keychain-trouble.ts';
import { assertEntry, assertValue } from './storable.ts';
import { hash } from 'node:crypto';

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
 * Windows finds an entry by `service/account`, ignoring case, and stores 2,560 bytes at most: a longer value of the vault itself is
 * split over several entries (`splitValue` below). An entry that another program reads cannot be. On Linux
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
      const value = await get(call, entry);
      const head = this.#splits(entry) ? readHead(value) : null;
      if (head !== null) return readParts(call, entry, head);
      if (value !== null || !this.#hidesThatItIsLocked) return value;
      await proveUnlocked(call);
      return get(call, entry);
    });
  }

  async write(entry: VaultEntry, value: string): Promise<void> {
    assertEntry(entry);
    assertValue(value);
    if (!this.#splits(entry)) {
      this.#assertFits(value);
      await this.#run((call) => set(call, entry, value));
      return;
    }
    await this.#run(async (call) => {
      const before = readHead(await get(call, entry));
      const isLong = Buffer.byteLength(value) > windowsMaxBytes || readHead(value) !== null;
      const split = isLong ? splitValue(entry, value, { before, partBytes: windowsMaxBytes }) : null;
      for (const part of split?.parts ?? []) await set(call, part.entry, part.value);
      // From here on the entry has the new value.
      await set(call, entry, split?.head ?? value);
      for (const old of before === null ? [] : partEntries(entry, before)) await drop(call, old);
    });
  }

  async remove(entry: VaultEntry): Promise<void> {
    assertEntry(entry);
    await this.#run(async (call) => {
      const head = this.#splits(entry) ? readHead(await get(call, entry)) : null;
      const take = () => drop(call, entry);
      const isTaken = await take();
      for (const part of head === null ? [] : partEntries(entry, head)) await drop(call, part);
      if (isTaken || !this.#hidesThatItIsLocked) return;
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
      throw keychainTrouble(error, { platform: this.#platform, environment: process.env });
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

  /** Whether a long value of this entry is split. */
  #splits({ service }: VaultEntry): boolean {
    return this.#platform === 'win32' && service === vaultService;
  }

  #assertFits(value: string): void {
    if (this.#platform !== 'win32' || Buffer.byteLength(value) <= windowsMaxBytes) return;
    throw new VaultUnavailable({ code: 'token_too_long', limitBytes: windowsMaxBytes });
  }
}

function get(call: Call, { service, account }: VaultEntry): Promise<string | null> {
  return call((keychain) => keychain.getPassword(service, account));
}

function set(call: Call, { service, account }: VaultEntry, value: string): Promise<void> {
  return call((keychain) => keychain.setPassword(service, account, value));
}

function drop(call: Call, { service, account }: VaultEntry): Promise<boolean> {
  return call((keychain) => keychain.deletePassword(service, account));
}

async function readParts(call: Call, entry: VaultEntry, head: PartsHead): Promise<string> {
  const parts: (string | null)[] = [];
  for (const part of partEntries(entry, head)) parts.push(await get(call, part));
  const value = joinParts(head, parts);
  if (value === null) throw new VaultUnavailable({ code: 'entry_not_kept', ...entry });
  return value;
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

/**
 * A value that is too long for one entry of a keychain, in several: the parts, then the head, which commits them like one entry. The
 * parts of two values have different names, so that the old value is whole until the head is replaced.
 */
interface EntryParts {
  readonly head: string;
  readonly parts: readonly { readonly entry: VaultEntry; readonly value: string }[];
}

/** What a head says about its parts. */
interface PartsHead {
  readonly series: 'a' | 'b';
  readonly count: number;
  readonly digest: string;
}

const headForm = /^rotavox-parts\/1 ([ab]) (\d{1,3}) ([\w-]{43})$/;

/** Null: it is a value, and no head. */
function readHead(value: string | null): PartsHead | null {
  const [, series, count, digest] = headForm.exec(value ?? '') ?? [];
  if (digest === undefined) return null;
  return { series: series === 'a' ? 'a' : 'b', count: Number(count), digest };
}

/** Cuts a value. `before`: the head that the entry has now. */
function splitValue(
  entry: VaultEntry,
  value: string,
  { before, partBytes }: { readonly before: PartsHead | null; readonly partBytes: number },
): EntryParts {
  const series = before?.series === 'a' ? 'b' : 'a';
  const texts: string[] = [];
  let text = '';
  let bytes = 0;
  // By characters: each part is a text by itself.
  for (const character of value) {
    const size = Buffer.byteLength(character);
    if (bytes + size > partBytes) {
      texts.push(text);
      text = '';
      bytes = 0;
    }
    text += character;
    bytes += size;
  }
  texts.push(text);
  return {
    head: `rotavox-parts/1 ${series} ${texts.length} ${digestOf(value)}`,
    parts: texts.map((part, at) => ({ entry: partEntry(entry, series, at), value: part })),
  };
}

/** The entries of the parts that a head names. */
function partEntries(
  entry: VaultEntry,
  { series, count }: Pick<PartsHead, 'series' | 'count'>,
): VaultEntry[] {
  return Array.from({ length: count }, (_none, at) => partEntry(entry, series, at));
}

/** The value; null where a part is missing or is another one. */
function joinParts({ digest }: PartsHead, parts: readonly (string | null)[]): string | null {
  const value = parts.join('');
  return parts.includes(null) || digestOf(value) !== digest ? null : value;
}

/** No credential can have this name. */
function partEntry({ service, account }: VaultEntry, series: 'a' | 'b', at: number): VaultEntry {
  return { service, account: `${account} (part ${series}${at + 1})` };
}

function digestOf(value: string): string {
  return hash('sha256', value, 'base64url');
}
