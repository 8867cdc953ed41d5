import { TimeRange } from './schedule.ts';

/**
 * `08:00-12:00, 13:00-17:00` as ranges, none for an empty text; null where it is not written so. `8:00` and `8.00` are `08:00`; `9am-5:30 PM`
 * and `1-5 PM` are read as well. Hours alone are not: `9-5` may end before midnight or after it.
 */
export function readRanges(text: string): TimeRange[] | null {
  if (text.trim() === '') return [];
  const parts = text.split(/[,;]/).map(rangeOf);
  const read = parts.filter((part) => part !== null);
  return read.length === parts.length ? read : null;
}

/** With any dash: pages write other ones than keyboards (WazeDev/WME-Place-Harmonizer#130). */
function rangeOf(text: string): TimeRange | null {
  const [from = null, to = null, ...rest] = text.split(/[\p{Pd}\u2212]|\bto\b/iu).map(readTime);
  if (from === null || to === null || rest.length > 0 || (from.half !== null && to.half === null))
    return null;
  const range = TimeRange.safeParse({
    from: clockTime({ ...from, half: from.half ?? to.half }),
    to: clockTime(to),
  });
  if (!range.success) return null;
  // `1-5 PM` is the afternoon; `9-5 PM` is not 21:00 to 17:00.
  const isTold = from.half !== null || to.half === null || range.data.from < range.data.to;
  return isTold ? range.data : null;
}

interface WrittenTime {
  readonly hour: string;
  readonly minute: string | null;
  readonly half: 'a' | 'p' | null;
}

function readTime(text: string): WrittenTime | null {
  const [, hour, minute = null, half] =
    /^(\d{1,2})(?:[:.](\d\d))?(?:\s?([ap])\.?\s?m\.?)?$/i.exec(text.trim()) ?? [];
  if (hour === undefined) return null;
  const letter = half?.toLowerCase();
  return { hour, minute, half: letter === 'a' || letter === 'p' ? letter : null };
}

/** `HH:MM`; what is no time of day is left for the schema to refuse. */
function clockTime({ hour, minute, half }: WrittenTime): string {
  if (half === null) return `${hour.padStart(2, '0')}:${minute ?? ''}`;
  const isOnDial = Number(hour) >= 1 && Number(hour) <= 12;
  const hours = isOnDial ? (Number(hour) % 12) + (half === 'p' ? 12 : 0) : 99;
  return `${String(hours).padStart(2, '0')}:${minute ?? '00'}`;
}

export function writeRanges(ranges: readonly TimeRange[]): string {
  return ranges.map(({ from, to }) => `${from}-${to}`).join(', ');
}
