import type { RotationPolicy } from '../../contract/credential.ts';
import type { ZoneOffset } from './zone-offset.ts';

/** From an instant, and up to but not including another. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

type PreferredHours = NonNullable<RotationPolicy['preferred_hours']>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * The parts of a span in which the person's clock shows one of the preferred hours, in order and never touching.
 *
 * The clock on the wall decides. An hour that summer time skips has no part on that day, and an hour that comes twice
 * in autumn has two. Hours that begin and end at the same time of day mean the whole day.
 */
export function preferredSpans(hours: PreferredHours, within: Span, zone: ZoneOffset): Span[] {
  const spans: Span[] = [];
  for (const stretch of steadyStretches(within, zone)) {
    for (const span of spansOfStretch(hours, stretch)) {
      const last = spans.at(-1);
      // A night that is cut by a clock change, or a whole day by midnight, is still one span.
      if (last?.untilMs === span.fromMs) spans[spans.length - 1] = { ...last, untilMs: span.untilMs };
      else spans.push(span);
    }
  }
  return spans;
}

interface SteadyStretch extends Span {
  readonly offsetMs: number;
}

/** The span in pieces of a day at most, cut where the clock changes: within each, local time is UTC plus a constant. */
function steadyStretches({ fromMs, untilMs }: Span, zone: ZoneOffset): SteadyStretch[] {
  const stretches: SteadyStretch[] = [];
  for (let startMs = fromMs; startMs < untilMs;) {
    const offset = zone(startMs);
    const dayLaterMs = Math.min(startMs + dayMs, untilMs);
    const endMs = zone(dayLaterMs) === offset ? dayLaterMs : clockChange(startMs, dayLaterMs, zone);
    stretches.push({ fromMs: startMs, untilMs: endMs, offsetMs: offset * minuteMs });
    startMs = endMs;
  }
  return stretches;
}

/** The first whole millisecond with another offset than `beforeMs` has, by halving. No zone changes twice within a day. */
function clockChange(beforeMs: number, afterMs: number, zone: ZoneOffset): number {
  const offset = zone(beforeMs);
  let low = Math.floor(beforeMs);
  let high = Math.ceil(afterMs);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

function spansOfStretch(hours: PreferredHours, { fromMs, untilMs, offsetMs }: SteadyStretch): Span[] {
  const openingMs = timeOfDayMs(hours.from);
  const lengthMs = (timeOfDayMs(hours.to) - openingMs + dayMs) % dayMs || dayMs;
  const spans: Span[] = [];
  // Yesterday's hours may reach over midnight into this stretch.
  const firstDay = Math.floor((fromMs + offsetMs) / dayMs) - 1;
  const lastDay = Math.floor((untilMs + offsetMs) / dayMs);
  for (let day = firstDay; day <= lastDay; day += 1) {
    const opensAtMs = day * dayMs + openingMs - offsetMs;
    const span = {
      fromMs: Math.max(opensAtMs, fromMs),
      untilMs: Math.min(opensAtMs + lengthMs, untilMs),
    };
    if (span.fromMs < span.untilMs) spans.push(span);
  }
  return spans;
}

function timeOfDayMs(clockTime: string): number {
  const [hour, minute] = clockTime.split(':').map(Number);
  return ((hour ?? 0) * 60 + (minute ?? 0)) * minuteMs;
}
