import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keys that are destroyed after a day; `store` stores them, `host` passes them here. */
export interface ReplayKeyring {
  /** The key of this hour. Throws `StoreUnavailable` when it cannot be stored. */
  current(): { epoch: string; key: Buffer };
  /** The key of an hour, or undefined when it was destroyed. */
  get(epoch: string): Buffer | undefined;
  /**
   * Destroys the keys that are due, and has the next ones ready where that takes time. Called hourly, also while nothing is
   * rotated. Throws, or rejects, when that was refused.
   */
  renew(): Promise<void> | void;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts the successor's token so that it can be opened only with the source token and a key that is destroyed after
 * a day (AES-256-GCM with HKDF-SHA-256).
 */
// see decisions/seal-replayed-replies.md
export function sealReply(value: string, sourceToken: string, epochKey: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(sourceToken, epochKey), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(value, 'latin1'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/** The token, or null when the keys do not fit or the text was changed. */
export function openReply(sealed: string, sourceToken: string, epochKey: Buffer): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length <= nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyFor(sourceToken, epochKey),
    bytes.subarray(0, nonceBytes),
  );
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    const body = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes));
    return Buffer.concat([body, decipher.final()]).toString('latin1');
  } catch {
    return null;
  }
}

function keyFor(sourceToken: string, epochKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', sourceToken, epochKey, 'rotavox lost reply', 32));
}
