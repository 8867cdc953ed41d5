import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { type Identity, type Recipient, Stanza } from 'age-encryption';
import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

/** Why a backup cannot be read: another kind of file, another passphrase, changed or cut, or from a newer program. */
export type BackupFault = 'no_backup' | 'wrong_passphrase' | 'damaged' | 'too_new';

/** Nothing of the backup was used. */
export class BackupUnreadable extends Error {
  readonly fault: BackupFault;

  constructor(fault: BackupFault, options?: { cause: unknown }) {
    super(fault, options);
    this.name = 'BackupUnreadable';
    this.fault = fault;
  }
}

/**
 * A passphrase as a recipient of age (the stanza "scrypt" of https://age-encryption.org/v1): every program for age opens the file.
 *
 * The library derives its key in JavaScript, on the calling thread, for seconds in which no call is answered. Here Node derives it.
 */
export class BackupPassphrase implements Recipient, Identity {
  readonly #passphrase: string;
  readonly #logN: number;

  /**
   * Normalized (NFC): keyboards differ in how they compose an accented letter. `logN`: the cost of an attempt on what is encrypted, as
   * the logarithm of scrypt's N.
   */
  constructor(passphrase: string, logN = usualLogN) {
    this.#passphrase = passphrase.normalize('NFC');
    this.#logN = logN;
  }

  async wrapFileKey(fileKey: Uint8Array): Promise<Stanza[]> {
    const salt = randomBytes(saltBytes);
    const key = await this.#derive(salt, this.#logN);
    const body = chacha20poly1305(key, fixedNonce).encrypt(fileKey);
    return [new Stanza([kind, withoutPadding(salt), String(this.#logN)], body)];
  }

  /** Throws `BackupUnreadable`: for another passphrase, a file that is not encrypted with one, and a damaged head. */
  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array> {
    const [stanza, ...others] = stanzas;
    const [found, salt = '', cost = ''] = stanza?.args ?? [];
    if (stanza === undefined || found !== kind || others.length > 0) throw new BackupUnreadable('no_backup');
    const saltOf = Buffer.from(salt, 'base64');
    const isUsable = saltOf.length === saltBytes && /^\d{1,2}$/.test(cost) && Number(cost) <= mostLogN;
    if (!isUsable || stanza.body.length !== wrappedBytes) throw new BackupUnreadable('damaged');
    const key = await this.#derive(saltOf, Number(cost));
    try {
      return chacha20poly1305(key, fixedNonce).decrypt(stanza.body);
    } catch (cause) {
      throw new BackupUnreadable('wrong_passphrase', { cause });
    }
  }

  async #derive(salt: Buffer, cost: number): Promise<Buffer> {
    const N = 2 ** cost;
    return deriveBytes(this.#passphrase, Buffer.concat([Buffer.from(label), salt]), 32, {
      N,
      r: 8,
      p: 1,
      maxmem: 2 * 128 * N * 8,
    });
  }
}

const kind = 'scrypt';
const label = 'age-encryption.org/v1/scrypt';
const saltBytes = 16;
/** The file key has 16 bytes, its tag as many. */
const wrappedBytes = 32;
/** The key of a file wraps one other key only, so its nonce may be constant. */
const fixedNonce = new Uint8Array(12);
/** 128 MiB and about half a second, as for the vault. */
const usualLogN = 17;
/** The library's own limit: 1 GiB. */
const mostLogN = 20;

const deriveBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function withoutPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/==?$/, '');
}
