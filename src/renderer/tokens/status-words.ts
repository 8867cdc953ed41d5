import type { TokenStatus } from '../../contract/token.ts';

/** Whether a token may work again, or still does. */
export function isLive(status: TokenStatus): boolean {
  return status === 'Active' || status === 'Suspended';
}
