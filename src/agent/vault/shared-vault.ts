import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  type SealedFrom,
  sealedNameOf,
  type Sealer,
  type SharedEntries,
  type SharedEntry,
} from '../../core/shared-entries.ts';
import type { VaultProblem } from '../../contract/credential/vault-problem.ts';
import { StoreUnavailable } from '../../core/ledger.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import { runExclusive } from '../run-exclusive.ts';
import {
  aadOf,
  checkOf,
  checkText,
  keysOfChange,
  newSalt,
  parseJson,
  parseVaultHead,
  type PassphraseChange,
  saltOf,
  type ScryptCost,
  scryptCost,
  SealedText,
  type VaultHead,
  vaultHeadOf,
  VaultKey,
  withCheck,
} from './vault-file.ts';
import { assertEntry, assertValue } from './storable.ts';

export interface SharedVaultOptions {
  readonly entries: SharedEntries;
  readonly passphrase: string;
  /** The cost of its key. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
}

/** The entry that says how the key is derived. No other name begins without a bracket. */
const headName = 'key';
/** Where nothing was written before there were marks: every line of the journal has one. */
const fromStart: SealedFrom = { seq: 0, head: '0'.repeat(43) };
/** Of any other entry of the vault: its service and its account, as JSON. */
const EntryName = z.tuple([z.string(), z.string()]);

/**
 * A vault that the hosts of a team share: one entry of a table for each of its own, encrypted with a passphrase that the database
 * never sees. Followers may read; only the leader writes.
 *
 * What is sealed is the same as in `vault.json`, so an entry can be copied from one to the other with its key, and without the
 * passphrase.
 */
export class SharedVault implements Vault {
  readonly kind = 'postgres';
  readonly #entries: SharedEntries;
  readonly #key: VaultKey;
  readonly #cost: ScryptCost;
  #sealedFrom: SealedFrom | null = null;

  private constructor(entries: SharedEntries, key: VaultKey, cost: ScryptCost) {
    this.#entries = entries;
    this.#key = key;
    this.#cost = cost;
  }

  /**
   * Opens the vault of a team; the first host that comes creates it with its passphrase.
   *
   * Rejects with `locked` for a wrong passphrase, and `failed` when it is damaged or newer, or the database cannot be used; then
   * nothing was changed.
   */
  static async open({ entries, passphrase, cost = scryptCost }: SharedVaultOptions): Promise<SharedVault> {
    const found = await attempt(entries, () => entries.read('vault', headName));
    const head = parseVaultHead(found ?? (await createHead(entries, passphrase, cost)), entries.place, cost);
    const vault = new SharedVault(entries, await VaultKey.derive(passphrase, saltOf(head), cost), cost);
    vault.#adopt(head);
    return vault;
  }

  /**
   * Seals everything that the hosts share with the key of another passphrase, in one statement of the host that leads. The hosts whose
   * vault is open have the old key from then on, so none may lead before it was started again.
   *
   * `readToEnd` checks the journal with the old key, by which alone its marks can be told, and resolves with its end: from there on lines
   * have marks of the new one.
   *
   * Resolves with the number of entries, or with null when the new passphrase opens the vault already. Rejects with
   * `VaultUnavailable` when there is none, when neither passphrase opens it and for an entry that cannot be opened, and with
   * `StoreUnavailable`; only after that of the last statement something may be changed: all of it.
   */
  static async changePassphrase(
    entries: SharedEntries,
    change: PassphraseChange,
    readToEnd: (key: KeyObject, from: SealedFrom | null) => Promise<SealedFrom>,
  ): Promise<number | null> {
    const { place: path } = entries;
    const found = await entries.all();
    const text = found.find(isHead)?.value;
    if (text === undefined) throw new VaultUnavailable({ code: 'vault_key_missing', path });
    const head = parseVaultHead(text, path, change.cost ?? scryptCost);
    const keys = await keysOfChange(head, path, change);
    if (keys === null) return null;
    const from = sealedFromOf(checkOf(keys.old, head) ?? '');
    const end = await readToEnd(keys.old.deriveJournalKey(), from);
    const changed = from === null ? keys.head : withCheck(keys.changed, keys.head, sealedText(end));
    const sealed = found.map((entry) => {
      if (isHead(entry)) return { ...entry, value: JSON.stringify(changed) };
      const aad = aadOfShared(entry);
      const value = aad === null ? null : openText(keys.old, entry.value, aad);
      if (aad === null || value === null) throw new VaultUnavailable(damageOf(entry, path));
      return { ...entry, value: JSON.stringify(keys.changed.seal(value, aad)) };
    });
    await entries.replace(sealed);
    return sealed.length - 1;
  }

  /** From where on every line of the team's journal has the mark of a host; null: that was never noted. As of the last `contact`. */
  get sealedFrom(): SealedFrom | null {
    return this.#sealedFrom;
  }

  /** With which hosts mark the lines of the journal. */
  journalKey(): KeyObject {
    return this.#key.deriveJournalKey();
  }

  /** Notes that every line after an event has a mark: with the passphrase, so that nobody can take it back. As the leader. */
  async noteSealed(from: SealedFrom): Promise<void> {
    const head = await this.#head();
    await attempt(this.#entries, () =>
      this.#entries.write('vault', headName, JSON.stringify(withCheck(this.#key, head, sealedText(from)))),
    );
    this.#sealedFrom = from;
  }

  /** With which the hosts of a team sign what they say to each other. */
  clusterKey(): KeyObject {
    return this.#key.deriveClusterKey();
  }

  /** For other secrets that the hosts share. */
  get sealer(): Sealer {
    return {
      seal: (text, name) => JSON.stringify(this.#key.seal(text, sharedAadOf(name))),
      open: (sealed, name) => openText(this.#key, sealed, sharedAadOf(name)),
    };
  }

  read(entry: VaultEntry): Promise<string | null> {
    return this.#runExclusive(entry, async (name) => {
      const sealed = await this.#entries.read('vault', name);
      if (sealed === null) return null;
      const value = openText(this.#key, sealed, aadOf(entry));
      if (value !== null) return value;
      throw new VaultUnavailable({ code: 'vault_entry_damaged', path: this.#entries.place, ...entry });
    });
  }

  write(entry: VaultEntry, value: string): Promise<void> {
    return this.#runExclusive(entry, async (name) => {
      assertValue(value);
      await this.#entries.write('vault', name, JSON.stringify(this.#key.seal(value, aadOf(entry))));
    });
  }

  remove(entry: VaultEntry): Promise<void> {
    return this.#runExclusive(entry, (name) => this.#entries.remove('vault', name));
  }

  async contact(): Promise<void> {
    this.#adopt(await this.#head());
  }

  async #head(): Promise<VaultHead> {
    const text = await attempt(this.#entries, () => this.#entries.read('vault', headName));
    // Without it, nothing in the vault can be opened.
    if (text === null) throw new VaultUnavailable({ code: 'vault_key_missing', path: this.#entries.place });
    return parseVaultHead(text, this.#entries.place, this.#cost);
  }

  /** In the order of the calls for each entry; entries do not wait for each other. */
  #runExclusive<T>(entry: VaultEntry, job: (name: string) => Promise<T>): Promise<T> {
    const name = JSON.stringify([entry.service, entry.account] satisfies z.infer<typeof EntryName>);
    return runExclusive(`vault ${this.#entries.place} ${name}`, () => {
      assertEntry(entry);
      return attempt(this.#entries, () => job(name));
    });
  }

  #adopt(head: VaultHead): void {
    const text = checkOf(this.#key, head);
    if (text === null) throw new VaultUnavailable({ code: 'wrong_passphrase', path: this.#entries.place });
    this.#sealedFrom = sealedFromOf(text) ?? this.#sealedFrom;
  }
}

function sealedText({ seq, head }: SealedFrom): string {
  return `${checkText} sealed ${seq} ${head}`;
}

function sealedFromOf(text: string): SealedFrom | null {
  const [, seq, head] = /^rotavox sealed (\d+) ([\w-]{43})$/.exec(text) ?? [];
  return seq === undefined || head === undefined ? null : { seq: Number(seq), head };
}

/** Another host may do the same at the same time: one of them is stored, and both use that. */
async function createHead(entries: SharedEntries, passphrase: string, cost: ScryptCost): Promise<string> {
  const salt = newSalt();
  const key = await VaultKey.derive(passphrase, salt, cost);
  const head = withCheck(key, vaultHeadOf(key, salt, cost), sealedText(fromStart));
  return attempt(entries, () => entries.create('vault', headName, JSON.stringify(head)));
}

function isHead({ place, name }: SharedEntry): boolean {
  return place === 'vault' && name === headName;
}

/** Null for an entry of a kind that this version does not know. */
function aadOfShared(entry: SharedEntry): readonly string[] | null {
  const named = namedIn(entry);
  if (named !== null) return aadOf(named);
  const { place, name } = entry;
  const isKnown = place === 'replay_key' || place === 'browser';
  return isKnown ? sharedAadOf(sealedNameOf(place, name)) : null;
}

/** Null for what is no entry of the vault. */
function namedIn({ place, name }: SharedEntry): VaultEntry | null {
  const parsed = place === 'vault' ? EntryName.safeParse(parseJson(name)).data : undefined;
  return parsed === undefined ? null : { service: parsed[0], account: parsed[1] };
}

function damageOf(entry: SharedEntry, path: string): VaultProblem {
  const named = namedIn(entry);
  return named === null
    ? { code: 'shared_entry_damaged', path, place: entry.place, name: entry.name }
    : { code: 'vault_entry_damaged', path, ...named };
}

/** Of what is no entry of the vault. */
function sharedAadOf(name: string): readonly string[] {
  return ['rotavox vault 1', 'shared', name];
}

function openText(key: VaultKey, sealed: string, aad: readonly string[]): string | null {
  const parsed = SealedText.safeParse(parseJson(sealed));
  return parsed.success ? key.open(parsed.data, aad) : null;
}

/** A refusal of the database as an error of the vault. */
async function attempt<T>({ place: path }: SharedEntries, access: () => Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
    const { code } = cause;
    throw new VaultUnavailable(
      code === 'NOT_LEADING'
        ? { code: 'vault_not_leading', path }
        : { code: 'vault_database_unusable', path, systemCode: code },
      { cause },
    );
  }
}
