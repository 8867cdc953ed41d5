import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, scrypt } from 'node:crypto';
import type { KeyObject, ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * What a passphrase costs to try: 128 MiB and about half a second (OWASP's first choice for scrypt).
 *
 * Part of format 1: another cost is another format.
 */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1 } as const;
const maxScryptBytes = 256 * 1024 * 1024;

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/** A text that only the key opens; both parts in base64, the tag at the end of `sealed`. */
export interface Sealed {
  readonly nonce: string;
  readonly sealed: string;
}

const deriveBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The key of a file vault: seals texts and opens them again. The passphrase is not kept. */
export class VaultKey {
  readonly #key: KeyObject;

  private constructor(key: KeyObject) {
    this.#key = key;
  }

  /** Composed first (NFC): keyboards disagree on how an accented letter is put together. */
  static async derive(passphrase: string, salt: Buffer): Promise<VaultKey> {
    const bytes = await deriveBytes(passphrase.normalize('NFC'), salt, keyBytes, {
      ...scryptCost,
      maxmem: maxScryptBytes,
    });
    const key = new VaultKey(createSecretKey(bytes));
    bytes.fill(0);
    return key;
  }

  /** Seals a text to a place: it opens nowhere else. The nonce is random; a key is good for 2^32 of them (NIST SP 800-38D). */
  seal(text: string, place: readonly string[]): Sealed {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    sealing.setAAD(bytesOf(place));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
    return { nonce: nonce.toString('base64'), sealed: sealed.toString('base64') };
  }

  /** The text, or null when it was sealed with another key, for another place, or was changed since. */
  open(sealed: Sealed, place: readonly string[]): string | null {
    const nonce = Buffer.from(sealed.nonce, 'base64');
    const bytes = Buffer.from(sealed.sealed, 'base64');
    if (nonce.length !== nonceBytes || bytes.length < tagBytes) return null;
    const opening = createDecipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    opening.setAAD(bytesOf(place));
    opening.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()]).toString('utf8');
    } catch {
      return null; // the one thing that final() has to say
    }
  }
}

/** No two places have the same bytes, whatever stands in their names. */
function bytesOf(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place));
}
