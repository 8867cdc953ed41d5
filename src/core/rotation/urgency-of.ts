import type { ValueLife } from './due-at.ts';

/** Percent of the life left, the most urgent first. */
const warningPercents = [2, 10, 20] as const;

/**
 * How urgent a failing credential is: the share of its life that is left has fallen to 20, 10 or 2 percent.
 *
 * Null while more is left. To be asked after a failed attempt, not by the calendar: a credential that rotates well is
 * no news, however near its end. A value that has expired, or never had a life, is as urgent as it gets.
 */
export function urgencyOf(life: ValueLife, nowMs: number): 20 | 10 | 2 | null {
  const lifeMs = Math.max(life.expiresAtMs - life.obtainedAtMs, 0);
  const leftMs = life.expiresAtMs - nowMs;
  if (lifeMs === 0) return 2;
  return warningPercents.find((percent) => leftMs * 100 <= lifeMs * percent) ?? null;
}

/** Until when that stays as it is while nothing happens; Infinity for a value that has expired. */
export function urgencyLastsUntilMs({ obtainedAtMs, expiresAtMs }: ValueLife, nowMs: number): number {
  const lifeMs = Math.max(expiresAtMs - obtainedAtMs, 0);
  const changes = warningPercents.map((percent) => Math.ceil(expiresAtMs - (lifeMs * percent) / 100));
  return Math.min(...changes.filter((changeMs) => changeMs > nowMs));
}
