import type { TokenLifetime } from './due-at.ts';

/** Percent of the lifetime left, the most urgent first. */
const warningPercents = [2, 10, 20] as const;

/**
 * How urgent a failing credential is: at most 20, 10 or 2 percent of its lifetime are left.
 *
 * Null while more is left. Call this after a failed attempt, not by time: a credential that rotates well is not urgent,
 * however soon it expires. A token that has expired, or that never had a lifetime, has the highest urgency.
 */
export function urgencyOf(lifetime: TokenLifetime, nowMs: number): 20 | 10 | 2 | null {
  const lifetimeMs = Math.max(lifetime.expiresAtMs - lifetime.obtainedAtMs, 0);
  const leftMs = lifetime.expiresAtMs - nowMs;
  if (lifetimeMs === 0) return 2;
  return warningPercents.find((percent) => leftMs * 100 <= lifetimeMs * percent) ?? null;
}

/** Until when the urgency stays the same without a change; Infinity for an expired token. */
export function urgencyLastsUntilMs({ obtainedAtMs, expiresAtMs }: TokenLifetime, nowMs: number): number {
  const lifetimeMs = Math.max(expiresAtMs - obtainedAtMs, 0);
  const changes = warningPercents.map((percent) => Math.ceil(expiresAtMs - (lifetimeMs * percent) / 100));
  return Math.min(...changes.filter((changeMs) => changeMs > nowMs));
}
