import type { CredentialView } from '../../contract/credential-view.ts';

type Lived = Pick<CredentialView, 'obtained_at' | 'expires_at'>;

/** How long a value lives in all, in milliseconds; of a value that never lived, the shortest life there is. */
export function lifeMs({ obtained_at: from, expires_at: until }: Lived): number {
  return Math.max(Date.parse(until) - Date.parse(from), 1);
}

/** The share of its life that is left, from 0 to 1. */
export function shareLeft(one: Lived, nowMs: number): number {
  return Math.min(Math.max((Date.parse(one.expires_at) - nowMs) / lifeMs(one), 0), 1);
}

/** The share of its life after which an instant lies, from 0 to 1; for a mark on a bar. */
export function shareAt(one: Lived, at: string): number {
  return Math.min(Math.max((Date.parse(at) - Date.parse(one.obtained_at)) / lifeMs(one), 0), 1);
}
