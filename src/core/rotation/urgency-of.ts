import type { TokenLifetime } from './due-at.ts';

/** Percent of the lifetime left, the most urgent first. */
const warningPercents = [2, 10, 20] as const;

/**
 * How urgent a failing credential is: the share of its lifetime that is left has fallen to 20, 10 or 2 percent.
 *
 * Null while more is left. To be asked after a failed attempt, not by the calendar: a credential that rotates well is
 * no news, however near its end. A value that has expired, or never had a lifetime, is as urgent as it gets.
 */
export function urgencyOf(lifetime: TokenLifetime, nowMs: number): 20 | 10 | 2 | null {
  const lifetimeMs = Math.max(lifetime.expiresAtMs - lifetime.obtainedAtMs, 0);
  const leftMs = lifetime.expiresAtMs - nowMs;
  if (lifetimeMs === 0) return 2;
  return warningPercents.find((percent) => leftMs * 100 <= lifetimeMs * percent) ?? null;
}

/** Until when that stays as it is while nothing happens; Infinity for a value that has expired. */
export function urgencyLastsUntilMs({ obtainedAtMs, expiresAtMs }: TokenLifetime, nowMs: number): number {
  const lifetimeMs = Math.max(expiresAtMs - obtainedAtMs, 0);
  const changes = warningPercents.map((percent) => Math.ceil(expiresAtMs - (lifetimeMs * percent) / 100));
  return Math.min(...changes.filter((changeMs) => changeMs > nowMs));
}
