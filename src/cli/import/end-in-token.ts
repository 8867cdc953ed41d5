import { jwtExpiryMs } from '../../providers/http/read-reply.ts';

/** When a token expires, where it says that itself; null: it does not. */
export function endInToken(token: string): string | null {
  const endMs = jwtExpiryMs(token);
  return endMs === null ? null : new Date(endMs).toISOString();
}
