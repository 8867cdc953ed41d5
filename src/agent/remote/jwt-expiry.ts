/** The last instant that a date can name (ECMA-262 section 21.4.1.1), in milliseconds since the epoch. */
const lastInstantMs = 8.64e15;

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
    if (typeof seconds !== 'number') return null;
    const ms = Math.round(seconds * 1000);
    return Math.abs(ms) <= lastInstantMs ? ms : null;
  } catch {
    return null; // three parts, and yet no JWT
  }
}
