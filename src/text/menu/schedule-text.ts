import type {
  CalendarFault,
  HoursNow,
  LeftOutDay,
  ScheduleFinding,
  ScheduleProblem,
  ScheduleSwitch,
  ScheduleUse,
  UntilFault,
} from '../../contract/menu/schedule.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';

/** What a schedule says at an instant, with times of its own zone: “Open until 17:00”, “Closed, opens Mon 08:00”, “Closed by hand”. */
export function hoursText(
  { state, reason, next_change: next, opens_at: opens }: HoursNow,
  zone: ZoneNow,
): string {
  if (reason.kind === 'by_hand') {
    return byHandText(state === 'open' ? 'open' : 'closed', reason.until, zone);
  }
  if (state === 'open') return next === null ? 'Open' : `Open until ${zonedText(next.at, zone)}`;
  const name = reason.kind === 'exception' ? reason.exception.name : '';
  const closed = name === '' ? 'Closed' : `Closed (${isolated(name)})`;
  return opens === null ? closed : `${closed}, opens ${zonedText(opens, zone)}`;
}

/** “Closed by hand until 17:00”. */
export function byHandText(to: 'open' | 'closed', until: string | null, zone: ZoneNow): string {
  const by = to === 'open' ? 'Open by hand' : 'Closed by hand';
  return until === null ? by : `${by} until ${zonedText(until, zone)}`;
}

/** What comes next: “Closes at 18:00”, “Opens Mon 08:00”; null where nothing changes. */
export function nextHoursText(
  { state, next_change: next, opens_at: opens }: HoursNow,
  zone: ZoneNow,
): string | null {
  const at = state === 'open' ? next?.at : opens;
  if (at === undefined || at === null) return null;
  const time = zonedText(at, zone);
  const isToday = dayIn(at, zone.timeZone) === dayIn(zone.nowMs, zone.timeZone);
  return `${state === 'open' ? 'Closes' : 'Opens'} ${isToday ? `at ${time}` : time}`;
}

/** The zone whose clock is read, and the present instant. */
export interface ZoneNow {
  readonly timeZone: string;
  readonly nowMs: number;
}

const weekMs = 6 * 86_400_000;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const day = { day: 'numeric', month: 'short' } as const;

/** An instant on the clock of a zone: today “17:00”, in the coming days “Mon 08:00”, otherwise with the date. */
export function zonedText(at: string, { timeZone, nowMs }: ZoneNow): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  const write = (options: Intl.DateTimeFormatOptions) => formatIn(ms, timeZone, options);
  const today = dayIn(nowMs, timeZone);
  if (dayIn(ms, timeZone) === today) return write(clock);
  if (ms > nowMs && ms - nowMs < weekMs) return `${write({ weekday: 'short' })} ${write(clock)}`;
  const isOfYear = dayIn(ms, timeZone).slice(0, 4) === today.slice(0, 4);
  return `${write(isOfYear ? day : { ...day, year: 'numeric' })} ${write(clock)}`;
}

function dayIn(at: string | number, timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : formatterIn('sv-SE', timeZone, parts).format(date);
}

function formatIn(ms: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return formatterIn(undefined, timeZone, options).format(ms);
}

/** A zone that this machine does not know counts as UTC, as in `core/schedule`. */
function formatterIn(
  locale: string | undefined,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}

/** What the switch was set to, for the history. Undefined where that is not known. */
export function switchedText(
  to: string | undefined,
  until: string | undefined,
  writeInstant: (at: string) => string,
): string | undefined {
  if (to === undefined) return undefined;
  const what = switchWords.get(to) ?? to;
  return until === undefined ? what : `${what} until ${writeInstant(until)}`;
}

const switchWords: ReadonlyMap<string, string> = new Map<ScheduleSwitch['to'], string>([
  ['schedule', 'by schedule'],
  ['open', 'open by hand'],
  ['closed', 'closed by hand'],
]);

export function scheduleFindingText(finding: ScheduleFinding): string {
  switch (finding.code) {
    case 'zone_unknown':
      return `The time zone ${finding.zone} is not known on this computer, so its hours count in UTC. Choose another time zone.`;
    case 'zone_differs':
      return `Times are those of ${finding.zone}. This computer is in ${finding.machine}.`;
    case 'never_open':
      return 'It is never open. Add hours to a day.';
    case 'never_closed':
      return 'It is never closed, so callers never get the exit for closed hours.';
    case 'past_exceptions':
      return `${countWords(finding.dates.length, 'exception')} in the past. Remove ${finding.dates.length === 1 ? 'it' : 'them'}.`;
  }
}

/** Why a request about a schedule was refused. */
export function scheduleProblemText(problem: Exclude<ScheduleProblem, { kind: 'fields' }>): string {
  switch (problem.kind) {
    case 'not_found':
      return 'There are no such opening hours.';
    case 'name_taken':
      return `There are opening hours with the name ${quotedName(problem.name)} already. Choose another name.`;
    case 'changed_since':
      return `${quotedName(problem.name)} was changed meanwhile, and is version ${problem.version} now. Read it again, then change it.`;
    case 'too_many':
      return `There can be ${problem.most} opening hours. Delete some that no call flow uses.`;
    case 'too_many_exceptions':
      return `${quotedName(problem.name)} would have ${problem.count} exceptions, and can have ${problem.most}. Remove past ones, or import fewer years.`;
    case 'used':
      return `${quotedName(problem.name)} is used by ${usesText(problem.uses)}. Choose other opening hours there and publish, or delete it first.`;
    case 'calendar':
      return calendarFaultTexts[problem.fault];
    case 'no_holidays':
      return noHolidaysText(problem);
    case 'until':
      return untilFaultTexts[problem.fault];
  }
}

const calendarFaultTexts: Readonly<Record<CalendarFault, string>> = {
  not_a_calendar:
    'This is no calendar file. Choose an .ics file (iCalendar), which begins with BEGIN:VCALENDAR.',
  too_many_events: 'The calendar has more than 5000 events. Export the holidays only.',
};

/** Few enough to read. */
const namedPlaces = 60;

function noHolidaysText({ field, known }: Extract<ScheduleProblem, { kind: 'no_holidays' }>): string {
  const what = `No holidays are known for this ${field}.`;
  if (known.length === 0) return field === 'country' ? what : `${what} Leave it out.`;
  return known.length > namedPlaces ? what : `${what} Known are ${known.join(', ')}.`;
}

/** Why an event of a calendar was left out. */
export const leftOutTexts: Readonly<Record<LeftOutDay['why'], string>> = {
  not_all_day: 'it has a time of day',
  too_often: 'it recurs more often than holidays do',
  too_long: 'it is longer than 62 days',
  past: 'it is over',
  cancelled: 'it was cancelled',
  observance: 'nobody has that day off',
  damaged: 'its date cannot be read',
  has_hours: 'the day has hours of its own, which stay',
};

const untilFaultTexts: Readonly<Record<UntilFault, string>> = {
  not_a_time:
    'The end is not a time. Write 17:00, tomorrow 08:00, a date such as 2026-12-24, or an instant such as 2026-12-24T17:00Z.',
  over: 'The end must be in the future.',
  no_such_date: 'There is no such date.',
  not_with_schedule:
    'Only “open” and “closed” have an end: the schedule itself applies until somebody sets something else.',
};

const namedUses = 3;

function usesText(uses: readonly ScheduleUse[]): string {
  const named = uses
    .slice(0, namedUses)
    .map(({ kind, name }) => `the ${kind === 'draft' ? 'call flow' : 'phone menu'} ${quotedName(name)}`);
  const more = uses.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
