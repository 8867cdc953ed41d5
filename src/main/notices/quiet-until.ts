import type { HoursOfDay } from '../../contract/shapes.ts';
import type { ZoneOffset } from '../../host/host-port.ts';

const minuteMs = 60_000;
const minutesADay = 24 * 60;

/**
 * When the current quiet hours end; null if it is not quiet. `Infinity`: never, because hours that begin and end at the same
 * time of day are the whole day, as for rotations.
 *
 * Local time decides. Every minute is checked until one is not quiet: at most a day and an hour of minutes, only while a
 * notice is delayed, and correct when summer time begins or ends.
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
