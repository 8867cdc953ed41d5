import { Temporal } from 'temporal-polyfill';
import type { ScheduleFinding, ScheduleHours, TimeRange } from '../../contract/menu/schedule.ts';
import { DayHours, type OpeningDay, openingDay } from './day-hours.ts';
import { knownTimeZone, localTimeAt } from './time-zone.ts';

const yearDays = 366;
const yearWeeks = 53;

/** Checks the hours of a schedule from an instant on, on a machine with a time zone. The switch is not looked at. */
export function checkSchedule(
  hours: ScheduleHours,
  { at, machineZone }: { readonly at: number; readonly machineZone: string },
): ScheduleFinding[] {
  const findings: ScheduleFinding[] = [];
  const zone = hours.time_zone;
  if (knownTimeZone(zone) === null) findings.push({ code: 'zone_unknown', zone });
  else if (isOtherClock(zone, machineZone, at))
    findings.push({ code: 'zone_differs', zone, machine: machineZone });
  const { isEverOpen, isEverClosed } = lookAhead(hours, at);
  if (!isEverOpen) findings.push({ code: 'never_open' });
  if (!isEverClosed) findings.push({ code: 'never_closed' });
  const dates = pastExceptions(hours, at);
  if (dates.length > 0) findings.push({ code: 'past_exceptions', dates });
  return findings;
}

/** Looks at the coming days until one is open and one is closed at some time: mostly, a week. */
function lookAhead(hours: ScheduleHours, at: number) {
  const found = { isEverOpen: false, isEverClosed: false };
  for (const { open } of comingDays(hours, at)) {
    found.isEverOpen ||= open.length > 0;
    found.isEverClosed ||= !isWholeDay(open);
    if (found.isEverOpen && found.isEverClosed) break;
  }
  return found;
}

function* comingDays(hours: ScheduleHours, at: number): Generator<OpeningDay> {
  const byDay = new DayHours(hours);
  const today = localTimeAt(hours.time_zone, at).toPlainDate();
  for (let days = 0; days < yearDays; days += 1) yield openingDay(byDay, today.add({ days }));
  yield* daysOfExceptions(hours, byDay, today);
}

/** The dates of exceptions that apply no more, in their order. Nothing changes when they are removed: they passed no midnight either. */
export function pastExceptions(hours: ScheduleHours, at: number): string[] {
  const yesterday = localTimeAt(hours.time_zone, at).toPlainDate().subtract({ days: 1 }).toString();
  return hours.exceptions.flatMap(({ date }) => (!isYearly(date) && date < yesterday ? [date] : []));
}

export function isYearly(date: string): boolean {
  return date.length === 5;
}

/** The coming days with an exception, each with the day after it, however late they are: `02-29` may be in eight years. */
function daysOfExceptions(hours: ScheduleHours, byDay: DayHours, today: Temporal.PlainDate): OpeningDay[] {
  return hours.exceptions.flatMap(({ date }) => {
    const coming = isYearly(date) ? nextOfYearly(date, today) : Temporal.PlainDate.from(date);
    if (Temporal.PlainDate.compare(coming, today) < 0) return [];
    return [openingDay(byDay, coming), openingDay(byDay, coming.add({ days: 1 }))];
  });
}

function nextOfYearly(date: string, today: Temporal.PlainDate): Temporal.PlainDate {
  const yearly = Temporal.PlainMonthDay.from(date);
  for (let { year } = today; ; year += 1) {
    const coming = yearly.toPlainDate({ year });
    const isThatDay = coming.toString().endsWith(date);
    if (isThatDay && Temporal.PlainDate.compare(coming, today) >= 0) return coming;
  }
}

function isWholeDay(open: readonly TimeRange[]): boolean {
  return open.some(({ from, to }) => from === '00:00' && to === '24:00');
}

/** Whether clocks of both zones differ in some week of the coming year: those of Europe/Paris and Europe/Berlin do not. */
function isOtherClock(zone: string, other: string, at: number): boolean {
  if (zone === other || knownTimeZone(other) === null) return false;
  const [here, there] = [localTimeAt(zone, at), localTimeAt(other, at)];
  return Array.from({ length: yearWeeks }, (_, weeks) => weeks).some(
    (weeks) => here.add({ weeks }).offsetNanoseconds !== there.add({ weeks }).offsetNanoseconds,
  );
}
