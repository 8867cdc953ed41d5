import { hash } from 'node:crypto';

/** SHA-256 of a value, base64url: the same that the embedded service knows its tokens by. */
export function fingerprintOf(value: string): string {
  return hash('sha256', value, 'base64url');
}
