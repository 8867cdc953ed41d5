import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import type { CalendarFault, LeftOutDay } from '../../contract/menu/schedule.ts';
import { fitForName } from '../../contract/shapes.ts';
import { done, refused, type Result } from '../result.ts';
import { type RecurrenceBounds, type RecurrenceRule, recurringDays } from './recurring-days.ts';
import { knownTimeZone, localTimeAt } from './time-zone.ts';

/** A day to close on. `date`: `2026-12-25`, or `12-25` for every year. */
export interface ClosedDay {
  readonly date: string;
  readonly name: string;
}

export interface ReadCalendar {
  readonly days: readonly ClosedDay[];
  readonly leftOut: readonly LeftOutDay[];
}

const mostEvents = 5000;
/** The longest event: school holidays in summer. */
const mostDays = 62;
/** Years for which an event is imported that is every year, but not on one date. */
const yearsAhead = 5;
/** An event that is more often within these years is no holiday. */
const mostTimes = 60;
/** How many years of all rules of a file are looked through: a hundred holidays of other dates each year, or a few that count since long ago. */
const mostYears = 600;
/** How many days the recurring events of a file have together, about: each takes a while to work out. */
const mostRecurringDays = 10_000;

/** Everything else is left out before the file is parsed: reminders and attachments may be damaged without doing harm. */
const neededLine =
  /^(?:BEGIN|END|UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|SUMMARY|DESCRIPTION)[;:]/i;

/**
 * Reads the holidays of an iCalendar file (RFC 5545): events that last whole days. A day is kept as it is written and never moved by a
 * time zone; the end of an event is the day after its last. Whether it counts as busy (TRANSP) is not asked: calendars of holidays say no.
 *
 * `zone`: of the schedule, for an event from midnight to midnight in UTC. Days before `nowMs` are over, and left out.
 */
// see decisions/opening-hours.md
export function readCalendar(
  text: string,
  { zone, nowMs }: { readonly zone: string; readonly nowMs: number },
): Result<ReadCalendar, CalendarFault> {
  const linesOfEvents = eventsOf(text);
  if (linesOfEvents === null) return refused('not_a_calendar');
  if (linesOfEvents.length > mostEvents) return refused('too_many_events');
  const events = linesOfEvents.map(parseEvent);
  const today = localTimeAt(zone, nowMs).toPlainDate();
  const moved = movedDates(events, zone);
  const days = new Map<string, string>();
  const leftOut: LeftOutDay[] = [];
  const budget = { years: mostYears, days: mostRecurringDays };
  for (const event of events) {
    const name = nameOf(event);
    const read = daysOf(event, { zone, today, moved: moved.get(uidOf(event)) ?? noDates, budget });
    if (typeof read === 'string') {
      leftOut.push({ name, date: dateText(event), why: read });
      continue;
    }
    for (const date of read) days.set(date, joinNames(days.get(date), name));
  }
  return done({ days: Array.from(days, ([date, name]) => ({ date, name })), leftOut });
}

const noDates: ReadonlySet<string> = new Set();

type Why = LeftOutDay['why'];

interface Surroundings {
  readonly zone: string;
  readonly today: Temporal.PlainDate;
  /** Dates of a recurring event that another one of the file replaces. */
  readonly moved: ReadonlySet<string>;
  readonly budget: RecurrenceBounds['budget'] & { days: number };
}

/** The dates of an event, or why it has none. */
function daysOf(event: ICAL.Component, { zone, today, moved, budget }: Surroundings): string[] | Why {
  if (textOf(event, 'status').toUpperCase() === 'CANCELLED') return 'cancelled';
  // Google marks days that nobody has off.
  if (/^Observance\b/i.test(textOf(event, 'description'))) return 'observance';
  const span = spanOf(event, zone);
  if (typeof span === 'string') return span;
  const { first, count } = span;
  const rule = event.getFirstProperty('rrule');
  const extra = datesOf(event, 'rdate', zone);
  if (rule === null && extra.length === 0) {
    const dates = datesFrom(first, count).filter((date) => Temporal.PlainDate.compare(date, today) >= 0);
    return dates.length === 0 ? 'past' : dates.map(String);
  }
  const without = new Set(datesOf(event, 'exdate', zone));
  const data = rule === null ? null : (valuesOf(rule)[0] as RecurrenceRule);
  if (data !== null && without.size + moved.size + extra.length === 0 && isEachYear(data, first, today)) {
    return datesFrom(first, count).map((date) => date.toString().slice(5));
  }
  if (budget.days <= 0) return 'too_often';
  const bounds = {
    from: today.subtract({ days: mostDays }),
    last: today.add({ years: yearsAhead }),
    most: mostTimes,
    budget,
  };
  const starts = data === null ? [first.toString()] : recurringDays(data, first, bounds);
  if (starts === null || extra.length > mostTimes) return 'too_often';
  budget.days -= (starts.length + extra.length) * count;
  const dates = [...starts, ...extra]
    .filter((date) => !without.has(date) && !moved.has(date))
    .flatMap((date) => datesFrom(Temporal.PlainDate.from(date), count))
    .filter((date) => Temporal.PlainDate.compare(date, today) >= 0)
    .map(String);
  return dates.length === 0 ? 'past' : [...new Set(dates)];
}

/** The first day and how many there are. */
function spanOf(event: ICAL.Component, zone: string): { first: Temporal.PlainDate; count: number } | Why {
  const start = timeOf(event, 'dtstart', zone);
  if (start === null) return 'damaged';
  const end = timeOf(event, 'dtend', zone);
  const lasts = durationDays(event);
  // A date is one day, if nothing says how long it is, or that it has no length; a midnight is none.
  const isPoint = start.time === 'midnight' && end === null && (lasts ?? 0) === 0;
  const isWhole = start.time === 'day' || start.time === 'midnight';
  if (!isWhole || isPoint || lasts === null || end?.time === 'other') return 'not_all_day';
  const until =
    end === null
      ? start.date.add({ days: lasts ?? 1 })
      : end.date.add({ days: end.time === 'last_minute' ? 1 : 0 });
  const days = start.date.until(until, { largestUnit: 'days' }).days;
  // Some programs write the last day where the day after it belongs, so that an event of one day has no length.
  const count = days === 0 ? 1 : days;
  if (count < 0) return 'damaged';
  return count > mostDays ? 'too_long' : { first: start.date, count };
}

interface WrittenTime {
  readonly date: Temporal.PlainDate;
  /** `day`: a date without a time. `last_minute`: some programs end a day at 23:59. */
  readonly time: 'day' | 'midnight' | 'last_minute' | 'other';
}

const written = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d)?:?(\d\d)?:?(\d\d)?)?(Z)?$/i;

/** Null where it is missing or no time. `20261225` is a date, whatever type it is said to have, and so is what is said to be one. */
function timeOf(event: ICAL.Component, name: string, zone: string): WrittenTime | null {
  const property = event.getFirstProperty(name);
  return property === null ? null : readWritten(property, String(valuesOf(property)[0]), zone);
}

function readWritten(property: ICAL.Property, text: string, zone: string): WrittenTime | null {
  const [, year, month, day, hour = '', minute = '00', second = '00', utc] = written.exec(text) ?? [];
  if (year === undefined) return null;
  try {
    const date = Temporal.PlainDate.from(`${year}-${month}-${day}`);
    if (property.type === 'date' || hour === '') return { date, time: 'day' };
    const time = `${hour}:${minute}:${second}`;
    if (utc === undefined) return { date, time: timeOfDay(time) };
    const instant = Temporal.Instant.from(`${date.toString()}T${time}Z`);
    const local = localTimeAt(zone, instant.epochMilliseconds);
    return { date: local.toPlainDate(), time: timeOfDay(local.toPlainTime().toString()) };
  } catch {
    return null;
  }
}

function timeOfDay(time: string): WrittenTime['time'] {
  if (time === '00:00:00') return 'midnight';
  return time.startsWith('23:59:') ? 'last_minute' : 'other';
}

/** Whole days; undefined without a duration, null where it is no whole days. */
function durationDays(event: ICAL.Component): number | null | undefined {
  const property = event.getFirstProperty('duration');
  if (property === null) return undefined;
  const [whole, weeks = '0', days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^\+?P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/i.exec(
      String(valuesOf(property)[0]),
    ) ?? [];
  if (whole === undefined) return null;
  const inDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const total = Number(weeks) * 7 + Number(days) + inDay / 86_400;
  return Number.isInteger(total) ? total : null;
}

/**
 * The days that an EXDATE, RDATE or RECURRENCE-ID names. A midnight in UTC is a day; any other instant there is one of the zone that the
 * event is in, and of that of the schedule where it says none that is known.
 */
function datesOf(event: ICAL.Component, name: string, zoneOfSchedule: string): string[] {
  const said = event.getFirstProperty('dtstart')?.getFirstParameter('tzid') ?? '';
  const zone = knownTimeZone(said) ?? zoneOfSchedule;
  return event.getAllProperties(name).flatMap((property) =>
    valuesOf(property).flatMap((value) => {
      const text = String(value);
      const isDay = /T00:?00(?::?00)?Z$/i.test(text);
      return readWritten(property, text, isDay ? 'UTC' : zone)?.date.toString() ?? [];
    }),
  );
}

/** On the same date of every year, which has begun or begins within a year. */
function isEachYear(rule: RecurrenceRule, first: Temporal.PlainDate, today: Temporal.PlainDate): boolean {
  const expected = new Map<string, unknown>([
    ['freq', 'YEARLY'],
    ['interval', 1],
    ['bymonth', first.month],
    ['bymonthday', first.day],
  ]);
  const isSame = Object.entries(rule).every(
    ([part, value]) => part === 'wkst' || expected.get(part) === value,
  );
  return isSame && Temporal.PlainDate.compare(first, today.add({ years: 1 })) <= 0;
}

/** Of each recurring event the dates that an event of the same id replaces. */
function movedDates(
  events: readonly ICAL.Component[],
  zone: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const moved = new Map<string, Set<string>>();
  for (const event of events) {
    const uid = uidOf(event);
    for (const date of datesOf(event, 'recurrence-id', zone)) {
      const known = moved.get(uid);
      if (known === undefined) moved.set(uid, new Set([date]));
      else known.add(date);
    }
  }
  return moved;
}

/** No year of five digits: an exception cannot have one. */
function datesFrom(first: Temporal.PlainDate, count: number): Temporal.PlainDate[] {
  return Array.from({ length: count }, (_, days) => first.add({ days })).filter(({ year }) => year <= 9999);
}

/** The lines of each event of all calendars in a text; null where there is no calendar. */
function eventsOf(text: string): string[][] | null {
  const events: string[][] = [];
  let isCalendar = false;
  let isNeeded = false;
  let event: string[] | null = null;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    // What is folded belongs to the line before.
    if (!/^[ \t]/.test(line)) {
      isNeeded = neededLine.test(line);
      if (/^BEGIN:VCALENDAR\s*$/i.test(line)) isCalendar = true;
      const begins = isCalendar && /^BEGIN:VEVENT\s*$/i.test(line);
      // Outlook has published calendars in which only the last event ends (pimutils/vdirsyncer#1102).
      if (event !== null && (begins || /^END:VCALENDAR\s*$/i.test(line)))
        event = finish([...event, 'END:VEVENT']);
      if (begins) event = [];
    }
    if (event === null || !isNeeded) continue;
    event.push(line);
    if (/^END:VEVENT\s*$/i.test(line)) event = finish(event);
  }
  // The file is cut off: nobody knows what else it said of this one, which is left out as damaged.
  if (event !== null) finish(event);
  return isCalendar ? events : null;

  function finish(lines: string[]): null {
    events.push(lines);
    return null;
  }
}

/** Each alone, so that a damaged one harms no other. */
function parseEvent(lines: readonly string[]): ICAL.Component {
  try {
    return new ICAL.Component(ICAL.parse(lines.join('\r\n')) as never);
  } catch {
    // Without a date it is left out as damaged, under its name.
    return new ICAL.Component(namedEvent(lines) as never);
  }
}

function namedEvent(lines: readonly string[]): unknown {
  const summary = lines.find((line) => /^SUMMARY[;:]/i.test(line)) ?? 'SUMMARY:';
  try {
    return ICAL.parse(`BEGIN:VEVENT\r\n${summary}\r\nEND:VEVENT`);
  } catch {
    return ['vevent', [], []];
  }
}

function uidOf(event: ICAL.Component): string {
  return textOf(event, 'uid');
}

function textOf(event: ICAL.Component, name: string): string {
  const property = event.getFirstProperty(name);
  const value = property === null ? '' : valuesOf(property)[0];
  return typeof value === 'string' ? value : '';
}

/** As the file has them; the library would make another date of one that does not exist. */
function valuesOf(property: ICAL.Property): readonly unknown[] {
  return (property.toJSON() as unknown[]).slice(3);
}

const nameLength = 100;

function nameOf(event: ICAL.Component): string {
  return shortName(fitForName(textOf(event, 'summary').replace(/\s+/gu, ' ')).trim());
}

/** Several events on one day are one exception. */
function joinNames(before: string | undefined, name: string): string {
  if (before === undefined || before === '' || before === name) return name;
  return name === '' || before.split(', ').includes(name) ? before : shortName(`${before}, ${name}`);
}

function shortName(name: string): string {
  if (name.length <= nameLength) return name;
  return `${name.slice(0, nameLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function dateText(event: ICAL.Component): string | null {
  return /^\d{4}-\d\d-\d\d/.exec(textOf(event, 'dtstart'))?.[0] ?? null;
}
