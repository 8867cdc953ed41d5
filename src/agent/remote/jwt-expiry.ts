import { outsideInstantMs } from '../../core/iso-instant.ts';

/**
 * When a JWT says that it ends (`exp`, RFC 7519 section 4.1.4), in milliseconds since the epoch; null for what is no JWT.
 *
 * Read, not believed: nobody's signature is checked, for the holder only wants to know when to ask for another.
 */
export function jwtExpiryMs(value: string): number | null {
  const parts = value.split('.');
  if (parts.length !== 3) return null;
  try {
    const payload = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()) as {
      exp?: unknown;
    } | null;
    const seconds = payload?.exp;
    return typeof seconds === 'number' ? outsideInstantMs(seconds * 1000) : null;
  } catch {
    return null; // three parts, and yet no JWT
  }
}
