import { Temporal } from 'temporal-polyfill';

/** On which days something recurs, as jCal has an RRULE (RFC 7265 section 3.6.10). */
export type RecurrenceRule = Readonly<Record<string, unknown>>;

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** What a rule of holidays has; one with anything else recurs by weeks, by numbers of days or by hours. */
const knownParts = new Set([
  'freq',
  'interval',
  'count',
  'until',
  'wkst',
  'bymonth',
  'bymonthday',
  'byday',
  'bysetpos',
]);
const dailyParts = new Set(['freq', 'interval', 'count', 'until', 'wkst']);
const listParts = ['bymonth', 'bymonthday', 'byday', 'bysetpos'];
const mostListed = 366;
const mostInterval = 10_000;
/** Of one rule, also those that are over: COUNT has to pass them. */
const mostCounted = 1000;

/** Where days are looked for. */
export interface RecurrenceBounds {
  readonly from: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
  /** As many days as are found at most. */
  readonly most: number;
  /** How many years may be looked through for all rules of a file together. It is used up; a rule that may need more than is left gets none. */
  readonly budget: { years: number };
}

/**
 * The days on which something begins; null for a rule that no holiday has, or for too many days or years to look through.
 *
 * Of every year, by month, day and weekday, or of every so many days. Not by ical.js: its iterator does not end for some valid rules
 * (`FREQ=YEARLY;BYMONTH=5,3,7;BYMONTHDAY=-1;BYDAY=TH`, 2.2.1), and makes March 2 of February 30.
 */
// see decisions/opening-hours.md
export function recurringDays(
  rule: RecurrenceRule,
  first: Temporal.PlainDate,
  bounds: RecurrenceBounds,
): string[] | null {
  const [interval = 1] = numbersOf(rule['interval']);
  const [count = Infinity] = numbersOf(rule['count']);
  const parts = Object.keys(rule);
  const isDaily = rule['freq'] === 'DAILY' && parts.every((part) => dailyParts.has(part));
  const isYearly = rule['freq'] === 'YEARLY' && parts.every((part) => knownParts.has(part));
  if ((!isDaily && !isYearly) || !isInterval(interval)) return null;
  if (listParts.some((part) => [rule[part]].flat().length > mostListed)) return null;
  const end = endOf(rule, bounds.last);
  const begin = bounds.from.toString();
  // What is over need not be looked at, but where it counts.
  const skipped = Math.max(0, Math.ceil(first.until(bounds.from, { largestUnit: 'days' }).days / interval));
  const days = isDaily
    ? everyDays(first.add({ days: skipped * interval }), interval, end)
    : everyYears(rule, first, {
        interval,
        end,
        from: count === Infinity ? bounds.from.year : first.year,
        budget: bounds.budget,
      });
  if (days === null) return null;
  const found: string[] = [];
  const before = isDaily ? skipped : 0;
  let counted = before;
  for (const day of days) {
    counted += 1;
    if (counted > count) break;
    if (counted - before > mostCounted) return null;
    if (day < begin) continue;
    found.push(day);
    if (found.length > bounds.most) return null;
  }
  return found;
}

/** Also not one that is no number. */
function isInterval(interval: number): boolean {
  return Number.isInteger(interval) && interval >= 1 && interval <= mostInterval;
}

/** The last day, also where UNTIL has a time. */
function endOf({ until }: RecurrenceRule, last: Temporal.PlainDate): string {
  const date = typeof until === 'string' ? until.slice(0, 10) : '';
  return /^\d{4}-\d\d-\d\d$/.test(date) && date < last.toString() ? date : last.toString();
}

function* everyDays(first: Temporal.PlainDate, interval: number, end: string): Generator<string> {
  for (let day = first; day.toString() <= end; day = day.add({ days: interval })) yield day.toString();
}

/** Null where the budget may not last. */
function everyYears(
  rule: RecurrenceRule,
  first: Temporal.PlainDate,
  {
    interval,
    end,
    from,
    budget,
  }: {
    readonly interval: number;
    readonly end: string;
    /** Earlier years are of no interest. */
    readonly from: number;
    readonly budget: RecurrenceBounds['budget'];
  },
): Iterable<string> | null {
  const skipped = Math.max(0, Math.ceil((from - first.year) / interval));
  const begin = first.year + skipped * interval;
  const endYear = Number(end.slice(0, 4));
  if (Math.floor((endYear - begin) / interval) + 1 > budget.years) return null;
  const wanted = wantedDays(rule, first);
  return (function* () {
    for (let year = begin; year <= endYear; year += interval) {
      budget.years -= 1;
      for (const day of daysOfYear(wanted, year)) if (day >= first.toString() && day <= end) yield day;
    }
  })();
}

/** A rule of every year. What is empty asks for nothing. */
interface WantedDays {
  readonly months: ReadonlySet<number>;
  readonly monthDays: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<string>;
  readonly positions: readonly number[];
  /** RFC 5545 section 3.3.10: with a month or a day of the month, an ordinal of BYDAY counts in the month, otherwise in the year. */
  readonly countsInMonth: boolean;
}

function wantedDays(rule: RecurrenceRule, first: Temporal.PlainDate): WantedDays {
  const months = numbersOf(rule['bymonth']);
  const monthDays = numbersOf(rule['bymonthday']);
  const weekdays = textsOf(rule['byday']);
  const hasDay = monthDays.length + weekdays.length > 0;
  return {
    months: new Set(months.length > 0 || hasDay ? months : [first.month]),
    monthDays: new Set(hasDay ? monthDays : [first.day]),
    weekdays: new Set(weekdays),
    positions: numbersOf(rule['bysetpos']),
    countsInMonth: months.length + monthDays.length > 0,
  };
}

/** In order. */
function daysOfYear(
  { months, monthDays, weekdays, positions, countsInMonth }: WantedDays,
  year: number,
): string[] {
  const found: string[] = [];
  for (let month = 1; month <= 12; month += 1) {
    if (months.size > 0 && !months.has(month)) continue;
    const begin = new Temporal.PlainDate(year, month, 1);
    const { daysInMonth, daysInYear, dayOfWeek, dayOfYear } = begin;
    const monthText = begin.toString().slice(0, -2);
    for (let day = 1; day <= daysInMonth; day += 1) {
      const place = countsInMonth ? day : dayOfYear + day - 1;
      const length = countsInMonth ? daysInMonth : daysInYear;
      const weekday = weekdayCodes[(dayOfWeek + day - 2) % 7] ?? '';
      const isDay = isMonthDay(monthDays, day, daysInMonth) && isWeekday(weekdays, weekday, place, length);
      if (isDay) found.push(`${monthText}${String(day).padStart(2, '0')}`);
    }
  }
  return atPositions(found, positions);
}

function isMonthDay(wanted: ReadonlySet<number>, day: number, length: number): boolean {
  return wanted.size === 0 || wanted.has(day) || wanted.has(day - length - 1);
}

/** `MO` is every Monday, `4TH` the fourth Thursday, `-1MO` the last Monday. */
function isWeekday(wanted: ReadonlySet<string>, weekday: string, place: number, length: number): boolean {
  if (wanted.size === 0) return true;
  const ordinal = Math.ceil(place / 7);
  const fromEnd = -Math.ceil((length - place + 1) / 7);
  const names = [weekday, `${ordinal}${weekday}`, `+${ordinal}${weekday}`, `${fromEnd}${weekday}`];
  return names.some((name) => wanted.has(name));
}

/** Outlook writes the first Monday of a month as `BYDAY=MO;BYSETPOS=1`. */
function atPositions(days: readonly string[], positions: readonly number[]): string[] {
  if (positions.length === 0) return [...days];
  const chosen = positions.flatMap((place) => days.at(place > 0 ? place - 1 : place) ?? []);
  return [...new Set(chosen)].sort();
}

function numbersOf(value: unknown): number[] {
  return [value].flat().flatMap((one) => (one === undefined ? [] : [Number(one)]));
}

function textsOf(value: unknown): string[] {
  return [value].flat().flatMap((one) => (typeof one === 'string' ? [one.toUpperCase()] : []));
}
