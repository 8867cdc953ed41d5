import type { TokenStatus } from '../../contract/token.ts';

/** What each status means for whoever holds such a token, in the order of a life. */
export const statusMeanings: Record<TokenStatus, string> = {
  Active: 'works',
  Superseded: 'replaced by a newer one',
  Expired: 'past its end',
  Suspended: 'paused by the owner',
  Blacklisted: 'barred for good',
};

/** Whether a token may work again, or still does. */
export function isLive(status: TokenStatus): boolean {
  return status === 'Active' || status === 'Suspended';
}

export function daysWords(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
