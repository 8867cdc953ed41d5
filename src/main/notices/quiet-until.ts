import type { HoursOfDay } from '../../contract/shapes.ts';
import type { ZoneOffset } from '../../host/host-port.ts';

const minuteMs = 60_000;
const minutesADay = 24 * 60;

/**
 * When the quiet hours that are now are over; null when it is not quiet. `Infinity`: never, for hours that begin and end
 * at the same time of day are the whole day, as they are for rotations.
 *
 * The clock on the wall decides. Every minute is looked at until one is not quiet: that is at most a day and an hour of
 * them, only while something is held back, and right whatever summer time does to the hours.
 */
export function quietUntil(hours: HoursOfDay | null, nowMs: number, zone: ZoneOffset): number | null {
  if (hours === null || !isQuiet(hours, nowMs, zone)) return null;
  if (hours.from === hours.to) return Infinity;
  let minute = Math.floor(nowMs / minuteMs) + 1;
  while (isQuiet(hours, minute * minuteMs, zone)) minute += 1;
  return minute * minuteMs;
}

function isQuiet({ from, to }: HoursOfDay, atMs: number, zone: ZoneOffset): boolean {
  const local = Math.floor(atMs / minuteMs) + zone(atMs);
  const minute = ((local % minutesADay) + minutesADay) % minutesADay;
  const begin = minuteOf(from);
  const end = minuteOf(to);
  // From evening to morning they reach over midnight.
  return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

function minuteOf(clockTime: string): number {
  const [hour, minute] = clockTime.split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}
