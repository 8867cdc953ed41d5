import { hash, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
/** 43 characters of 62 carry 256 bits. */
const bodyLength = 43;
/** 62^6 > 2^32. */
const checksumLength = 6;

export const tokenPrefixes = {
  api: 'rvx_',
  access: 'rva_',
  portal: 'rvp_',
  session: 'rvs_',
  signIn: 'rvl_',
  app: 'rvy_',
  owner: 'rvo_',
} as const;
export type TokenKind = keyof typeof tokenPrefixes;

/** A secret that exists in plain text only until the reply with it is sent. */
export interface NewTokenValue {
  readonly value: string;
  readonly digest: string;
}

/**
 * A new token value: prefix, 256 random bits in base62, and a CRC-32 of both in base62.
 *
 * Prefix and checksum let secret scanners recognise it and reveal typos; a double click selects all of it.
 */
export function mintToken(kind: TokenKind): NewTokenValue {
  const prefix = tokenPrefixes[kind];
  const bytes = Buffer.allocUnsafe(prefix.length + bodyLength + checksumLength);
  bytes.write(prefix, 'latin1');
  fillRandom(bytes, prefix.length, bodyLength);
  const bodyEnd = prefix.length + bodyLength;
  let checksum = crc32(bytes.subarray(0, bodyEnd));
  for (let place = bytes.length - 1; place >= bodyEnd; place -= 1) {
    bytes[place] = alphabet[checksum % 62] ?? 0;
    checksum = Math.floor(checksum / 62);
  }
  const value = bytes.toString('latin1');
  return { value, digest: digestOf(value) };
}

/** A random id that is easy to read aloud: prefix and 12 base62 characters (71 bits). */
export function mintId(prefix: string): string {
  const bytes = Buffer.allocUnsafe(12);
  fillRandom(bytes, 0, 12);
  return prefix + bytes.toString('latin1');
}

/** SHA-256, base64url. The token is fully random, so a plain hash is enough: it cannot be guessed. */
export function digestOf(value: string): string {
  return hash('sha256', value, 'base64url');
}

const pool = Buffer.alloc(4096);
let poolUsed = pool.length;

/** Base62 characters without bias: bytes from 248 up are discarded. Used bytes are wiped. */
function fillRandom(target: Buffer, start: number, count: number): void {
  for (let filled = 0; filled < count;) {
    if (poolUsed === pool.length) {
      randomFillSync(pool);
      poolUsed = 0;
    }
    const byte = pool[poolUsed] ?? 255;
    pool[poolUsed] = 0;
    poolUsed += 1;
    if (byte >= 248) continue;
    target[start + filled] = alphabet[byte % 62] ?? 0;
    filled += 1;
  }
}
