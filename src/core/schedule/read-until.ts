import { Temporal } from 'temporal-polyfill';
import type { UntilFault } from '../../contract/menu/schedule.ts';
import { done, refused, type Result } from '../result.ts';
import { localTimeAt } from './time-zone.ts';

/**
 * The instant until which a switch holds, in milliseconds, as a person or a program writes it: an instant with its offset, or a local time
 * of the schedule: `17:00` (the next), `tomorrow 08:00`, `2026-12-24`, `2026-12-24 12:00`. A date alone is its midnight.
 *
 * A local time that the clock shows twice is the first, one that it skips is as much later as it is put forward.
 */
export function readUntil(text: string, timeZone: string, nowMs: number): Result<number, UntilFault> {
  const now = localTimeAt(timeZone, nowMs);
  const read = readTime(text.trim().toLowerCase(), now);
  if (read === 'not_a_time' || read === 'no_such_date') return refused(read);
  return read.epochMilliseconds > nowMs ? done(read.epochMilliseconds) : refused('over');
}

/** An instant written in the same way, which may be over. */
export function readInstant(text: string, timeZone: string, nowMs: number): Result<number, UntilFault> {
  const read = readTime(text.trim().toLowerCase(), localTimeAt(timeZone, nowMs));
  return read === 'not_a_time' || read === 'no_such_date' ? refused(read) : done(read.epochMilliseconds);
}

/** An instant as a local time that `readInstant` reads: `2026-12-24 12:00`. */
export function writeLocalTime(atMs: number, timeZone: string): string {
  const local = localTimeAt(timeZone, atMs);
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

type Read = Temporal.Instant | Temporal.ZonedDateTime | 'not_a_time' | 'no_such_date';

const instant = /^\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)$/;
const local =
  /^(?:(?<date>\d{4}-\d\d-\d\d)|(?<day>today|tomorrow))?(?:(?:^|[ t])(?<hour>\d{1,2}):(?<minute>\d\d))?$/;

function readTime(text: string, now: Temporal.ZonedDateTime): Read {
  if (instant.test(text)) return orNoSuchDate(() => Temporal.Instant.from(text));
  const { date, day, hour, minute } = local.exec(text)?.groups ?? {};
  const time = hour === undefined ? undefined : timeOf(Number(hour), Number(minute));
  if (time === null) return 'not_a_time';
  if (date !== undefined) return orNoSuchDate(() => at(Temporal.PlainDate.from(date), time, now));
  const today = now.toPlainDate();
  if (day === 'today' && time !== undefined) return at(today, time, now);
  if (day === 'tomorrow') return at(today.add({ days: 1 }), time, now);
  if (day !== undefined || time === undefined) return 'not_a_time';
  const soon = at(today, time, now);
  return soon.epochMilliseconds > now.epochMilliseconds ? soon : at(today.add({ days: 1 }), time, now);
}

function timeOf(hour: number, minute: number): Temporal.PlainTime | null {
  return hour < 24 && minute < 60 ? new Temporal.PlainTime(hour, minute) : null;
}

function at(
  date: Temporal.PlainDate,
  time: Temporal.PlainTime | undefined,
  { timeZoneId: timeZone }: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime {
  return time === undefined
    ? date.toZonedDateTime(timeZone)
    : date.toZonedDateTime({ timeZone, plainTime: time });
}

function orNoSuchDate(read: () => Exclude<Read, string>): Read {
  try {
    return read();
  } catch {
    return 'no_such_date';
  }
}
