import type { Sight } from './sight.ts';
import type { Reuse, ReuseMemory } from './tell-memory.ts';

/** How long it is before the same caller with the same family is news again, in milliseconds. */
const quietAfterMs = 60 * 60_000;
/** As many callers of one family are told of in that time: whoever changes its name with every call must not flood a screen. */
const callersAnHour = 3;
/** Beyond any honest number: what quiet hours hold back is bounded. */
const mostRemembered = 200;

/** What is known of Superseded tokens that were used again: those to be told, and those told within the hour. */
export function rememberReuses(
  known: readonly ReuseMemory[],
  { reuses, nowMs }: Pick<Sight, 'reuses' | 'nowMs'>,
): ReuseMemory[] {
  const kept = known.filter(
    // Also after the clock was set back, when that instant lies ahead.
    ({ told_at: toldAt }) => toldAt === null || Math.abs(nowMs - Date.parse(toldAt)) < quietAfterMs,
  );
  for (const reuse of reuses) {
    const callers = kept.filter(({ family_id: familyId }) => familyId === reuse.family_id);
    if (callers.length >= callersAnHour || callers.some((one) => isSameCaller(one, reuse))) continue;
    kept.push({ ...reuse, told_at: null });
  }
  return kept.slice(-mostRemembered);
}

function isSameCaller(a: Reuse, b: Reuse): boolean {
  return a.address === b.address && a.user_agent === b.user_agent;
}
