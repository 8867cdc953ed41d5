import type { CredentialView } from '../../contract/credential-view.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

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

/** A span as a person says it, in the largest unit that fits: `4.7 days`, `16 hours`, `40 minutes`, `12 seconds`. */
export function spanWords(ms: number): string {
  if (ms >= 2 * dayMs) return counted(ms / dayMs, 'day', 1);
  if (ms >= 2 * hourMs) return counted(ms / hourMs, 'hour', 0);
  if (ms >= 2 * minuteMs) return counted(ms / minuteMs, 'minute', 0);
  return counted(ms / 1000, 'second', 0);
}

function counted(amount: number, unit: string, digits: number): string {
  const shown = Number(amount.toFixed(digits));
  return `${shown} ${unit}${shown === 1 ? '' : 's'}`;
}
