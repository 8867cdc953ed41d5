import type { Temporal } from 'temporal-polyfill';
import {
  type HoursReason,
  type HoursState,
  type ScheduleException,
  type ScheduleHours,
  type TimeRange,
  weekdays,
  type Weekday,
} from '../../contract/menu/schedule.ts';
import { localTimeAt } from './time-zone.ts';

/** A part of a local day, in minutes since its midnight, with one state. */
export interface DayPart {
  readonly from: number;
  readonly to: number;
  readonly state: HoursState;
  readonly reason: HoursReason;
}

const dayMinutes = 24 * 60;

const weekly: HoursReason = { kind: 'weekly' };

/**
 * What a schedule says for each local day.
 *
 * A local time is what a clock on the wall in the time zone of the schedule shows. A range holds while that clock shows a time in it:
 * where the clock goes back, a time that is shown twice is meant twice; where it goes forward, a time that it never shows is not met.
 * So does the time condition of a telephone system (Asterisk's GotoIfTime).
 */
// see decisions/opening-hours.md
export class DayHours {
  readonly #hours: ScheduleHours;
  readonly #exceptions: ReadonlyMap<string, ScheduleException>;

  constructor(hours: ScheduleHours) {
    this.#hours = hours;
    this.#exceptions = new Map(hours.exceptions.map((exception) => [exception.date, exception]));
  }

  /** The exception that applies on a day: of its date before that of every year. */
  exceptionOn(date: Temporal.PlainDate): ScheduleException | null {
    const text = date.toString();
    return this.#exceptions.get(text) ?? this.#exceptions.get(text.slice(-5)) ?? null;
  }

  /** The whole day from midnight to midnight, in order and without a gap. */
  partsOf(date: Temporal.PlainDate): DayPart[] {
    const exception = this.exceptionOn(date);
    const rest: Pick<DayPart, 'state' | 'reason'> =
      exception === null
        ? { state: 'closed', reason: weekly }
        : { state: 'holiday', reason: { kind: 'exception', exception } };
    const open = this.#openOn(date);
    const cuts = new Set([0, dayMinutes, ...open.flatMap(({ from, to }) => [from, to])]);
    const places = [...cuts].sort((one, other) => one - other);
    return places.slice(0, -1).map((from, place): DayPart => {
      const to = places[place + 1] ?? dayMinutes;
      const { state, reason } = open.find((part) => part.from <= from && to <= part.to) ?? rest;
      return { from, to, state, reason };
    });
  }

  /** What is open on a day, which may overlap: what began on it, before what passes midnight from the day before. */
  #openOn(date: Temporal.PlainDate): DayPart[] {
    const began = (day: Temporal.PlainDate, offset: number): DayPart[] => {
      const exception = this.exceptionOn(day);
      const reason: HoursReason = exception === null ? weekly : { kind: 'exception', exception };
      const ranges = exception?.ranges ?? this.#hours.weekly[weekdays[day.dayOfWeek - 1] ?? 'mon'];
      return ranges.flatMap((range): DayPart[] => {
        const { from, to } = minutesOf(range);
        const part = { from: Math.max(from + offset, 0), to: Math.min(to + offset, dayMinutes) };
        return part.from < part.to ? [{ ...part, state: 'open', reason }] : [];
      });
    };
    return [...began(date, 0), ...began(date.subtract({ days: 1 }), -dayMinutes)];
  }
}

/** Since the midnight at which its day began. The end is later than the beginning: where it is written earlier, on the next day. */
function minutesOf({ from, to }: TimeRange): { readonly from: number; readonly to: number } {
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  return { from: begin, to: end > begin ? end : end + dayMinutes };
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeOfMinute(minute: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

/** What is open on a local day by the hours, from its midnight to the next, with what passes midnight from the day before. */
export interface OpeningDay {
  readonly date: string;
  readonly weekday: Weekday;
  /** In order, without touching each other. */
  readonly open: readonly TimeRange[];
  readonly exception: ScheduleException | null;
}

/** The local day of an instant and those after it. */
export function daysFrom(hours: ScheduleHours, at: number, count: number): OpeningDay[] {
  const byDay = new DayHours(hours);
  const today = localTimeAt(hours.time_zone, at).toPlainDate();
  return Array.from({ length: count }, (_, days) => openingDay(byDay, today.add({ days })));
}

export function openingDay(byDay: DayHours, date: Temporal.PlainDate): OpeningDay {
  const open: { from: number; to: number }[] = [];
  for (const { from, to, state } of byDay.partsOf(date)) {
    if (state !== 'open') continue;
    const last = open.at(-1);
    if (last?.to === from) last.to = to;
    else open.push({ from, to });
  }
  return {
    date: date.toString(),
    weekday: weekdays[date.dayOfWeek - 1] ?? 'mon',
    open: open.map(({ from, to }) => ({ from: timeOfMinute(from), to: timeOfMinute(to) })),
    exception: byDay.exceptionOn(date),
  };
}
