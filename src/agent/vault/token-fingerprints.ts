import { createHmac, hash, randomBytes } from 'node:crypto';
import { vaultService } from '../../contract/credential/credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { StoredToken } from '../../core/credential/store-token.ts';
import type { Ledger } from '../../core/ledger.ts';
import type { Vault, VaultEntry } from '../../core/vault.ts';
import { currentEntry, writeAndReadBack } from './token-entries.ts';

/** `h1.`, the id of the key (8 characters) and the HMAC (43), in base64url. Any other is the SHA-256 of a token. */
const keyedForm = /^h1\.([\w-]{8})[\w-]{43}$/;

/** The entry of a key for fingerprints. No credential can have this name. */
function fingerprintKeyEntry(keyId: string): VaultEntry {
  return { service: vaultService, account: `(fingerprints ${keyId})` };
}

export function isFingerprintKey({ account }: VaultEntry): boolean {
  return /^\(fingerprints [\w-]{8}\)$/.test(account);
}

type Recorded = Iterable<Pick<Credential, 'fingerprint' | 'standby' | 'retiring'>>;

/** The entries of the keys that the fingerprints of these credentials were made with. */
export function fingerprintKeysOf(credentials: Recorded): VaultEntry[] {
  return [...keyIdsIn(credentials)].map(fingerprintKeyEntry);
}

/**
 * Recognises tokens without their values.
 *
 * The journal has a fingerprint of each token. Tokens of other services may be short, and who reads a journal must not be able to
 * try guesses: theirs is an HMAC-SHA-256, whose key is in the vault. Those that this service issued have 256 random bits and are
 * known to it by their SHA-256, which is also what older versions recorded of all.
 *
 * The name of a key's entry follows from the key, and each fingerprint names its key. So folders that share a keychain never replace
 * each other's key, two hosts of a team that make one at the same time both go on, and a key that is gone is told from another token.
 */
// see decisions/fingerprints-of-tokens.md
export class TokenFingerprints {
  readonly #vault: Vault;
  readonly #ledger: Pick<Ledger, 'state'>;
  /** By id. They are read once. */
  readonly #keys = new Map<string, Buffer>();
  /** The id of the one that was used last. */
  #usedLast: string | null = null;
  #finding: Promise<Buffer> | null = null;

  constructor(vault: Vault, ledger: Pick<Ledger, 'state'>) {
    this.#vault = vault;
    this.#ledger = ledger;
  }

  /** Makes a key where there is none, before anything is asked for that could not be recorded without one. */
  async prepare(): Promise<void> {
    await this.#keyForNew();
  }

  /** `baseUrl`: of the token's service; null: this one. */
  async of(
    token: string,
    baseUrl: string | null,
  ): Promise<Required<Pick<StoredToken, 'fingerprint' | 'alike'>>> {
    const fingerprint = baseUrl === null ? plainOf(token) : keyedOf(token, await this.#keyForNew());
    return { fingerprint, alike: await this.alike(token) };
  }

  /** Every form in which this token may be recorded. One whose key is gone is not among them. */
  async alike(token: string): Promise<string[]> {
    const forms = [plainOf(token)];
    for (const keyId of this.#knownIds()) {
      const key = await this.#read(keyId);
      if (key !== null) forms.push(keyedOf(token, key));
    }
    return forms;
  }

  /** `unknown`: the key of the fingerprint is gone, so that no token can be compared with it. */
  async compare(token: string, fingerprint: string): Promise<'same' | 'other' | 'unknown'> {
    const keyId = keyIdOf(fingerprint);
    if (keyId === null) return plainOf(token) === fingerprint ? 'same' : 'other';
    const key = await this.#read(keyId);
    if (key === null) return 'unknown';
    return keyedOf(token, key) === fingerprint ? 'same' : 'other';
  }

  /** Those who need a first key at the same time get the same one. */
  #keyForNew(): Promise<Buffer> {
    this.#finding ??= this.#findOrMake().finally(() => {
      this.#finding = null;
    });
    return this.#finding;
  }

  async #findOrMake(): Promise<Buffer> {
    for (const keyId of this.#knownIds()) {
      const key = await this.#read(keyId);
      if (key === null) continue;
      // What is recorded with it must be readable after a restart: somebody may have deleted the entry meanwhile.
      const entry = fingerprintKeyEntry(keyId);
      const value = key.toString('base64url');
      if ((await this.#vault.read(entry)) !== value) await writeAndReadBack(this.#vault, entry, value);
      this.#usedLast = keyId;
      return key;
    }
    const key = randomBytes(32);
    const keyId = idOf(key);
    await writeAndReadBack(this.#vault, fingerprintKeyEntry(keyId), key.toString('base64url'));
    this.#keys.set(keyId, key);
    this.#usedLast = keyId;
    return key;
  }

  #knownIds(): Set<string> {
    const recorded = keyIdsIn(this.#ledger.state.credentials.values());
    return new Set(this.#usedLast === null ? recorded : [this.#usedLast, ...recorded]);
  }

  async #read(keyId: string): Promise<Buffer | null> {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const value = await this.#vault.read(fingerprintKeyEntry(keyId));
    const key = Buffer.from(value ?? '', 'base64url');
    // An entry that is not ours counts as none.
    if (key.length !== 32 || idOf(key) !== keyId) return null;
    this.#keys.set(keyId, key);
    return key;
  }
}

/** Where tokens are, and what recognises them. */
export interface TokenStorage {
  readonly vault: Vault;
  readonly fingerprints: TokenFingerprints;
}

/**
 * The token of the record; null when the vault has none, or another one. One that cannot be compared is taken for it.
 *
 * Call this exclusively for the credential, so that it never reads a token that is not recorded yet.
 */
export async function readCurrentToken(
  { vault, fingerprints }: TokenStorage,
  { name, fingerprint }: Pick<Credential, 'name' | 'fingerprint'>,
): Promise<string | null> {
  const token = await vault.read(currentEntry(name));
  return token !== null && (await fingerprints.compare(token, fingerprint)) !== 'other' ? token : null;
}

function keyIdsIn(credentials: Recorded): Set<string> {
  const ids = new Set<string>();
  for (const { fingerprint, standby, retiring } of credentials) {
    for (const one of [fingerprint, standby?.fingerprint, ...retiring.map((old) => old.fingerprint)]) {
      const keyId = one === undefined ? null : keyIdOf(one);
      if (keyId !== null) ids.add(keyId);
    }
  }
  return ids;
}

function keyIdOf(fingerprint: string): string | null {
  return keyedForm.exec(fingerprint)?.[1] ?? null;
}

function keyedOf(token: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update('rotavox token\n').update(token).digest('base64url');
  return `h1.${idOf(key)}${mac}`;
}

function idOf(key: Buffer): string {
  return createHmac('sha256', key).update('rotavox key\n').digest().subarray(0, 6).toString('base64url');
}

/** The same digest by which the embedded service knows its tokens. */
function plainOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
