/** Durations and instants as a person reads them. The clock is not read here: "now" is an argument. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A duration in its two largest units: `2 d 4 h`, `3 h 12 min`, `45 min`. Rounded down, so it never promises too much. */
export function durationText(ms: number): string {
  if (ms <= 0) return '0 min';
  if (ms < minuteMs) return 'under 1 min';
  const days = Math.floor(ms / dayMs);
  const hours = Math.floor((ms % dayMs) / hourMs);
  const minutes = Math.floor((ms % hourMs) / minuteMs);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return `${minutes} min`;
}

/** How long the text of a remaining duration stays the same while time passes, in milliseconds. */
export function durationLastsMs(leftMs: number): number {
  if (leftMs < minuteMs) return Math.max(leftMs, 0) || Infinity;
  return (leftMs % (leftMs >= dayMs ? hourMs : minuteMs)) + 1;
}

/** The length of a sound or a place in it: `0:07`, and with `tenths` `0:07.3`. */
export function lengthText(ms: number, precision: 'seconds' | 'tenths' = 'seconds'): string {
  const unitMs = precision === 'seconds' ? 1000 : 100;
  const seconds = (Math.round(ms / unitMs) * unitMs) / 1000;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - minutes * 60;
  const digits = precision === 'seconds' ? 0 : 1;
  return `${minutes}:${rest.toFixed(digits).padStart(digits === 0 ? 2 : 4, '0')}`;
}

/** How long it is until an instant. */
export function timeLeft(until: Instant, nowMs: number): string {
  return durationText(msOf(until) - nowMs);
}

/**
 * When something expires or expired, whichever is true now: "Expires tomorrow 03:12", "Expired yesterday 03:12".
 *
 * `isOver`: it does not work any more, whatever the instant says. A service may end a token earlier. `isAssumed`: nobody has said
 * when it expires.
 */
export function expiryText(
  at: Instant,
  nowMs: number,
  {
    isOver = false,
    isAssumed = false,
    write = nearText,
  }: { isOver?: boolean; isAssumed?: boolean; write?: (at: Instant, nowMs: number) => string } = {},
): string {
  const time = isAssumed ? `about ${write(at, nowMs)} (assumed)` : write(at, nowMs);
  if (msOf(at) <= nowMs) return `Expired ${time}`;
  return isOver ? `Ended before its expiry ${time}` : `Expires ${time}`;
}

/** An instant that nobody has said. */
export const aboutMoment = 'about {at}';

/** When something is done next: an instant that has passed is due now. */
export function dueText(at: Instant, nowMs: number): string {
  return msOf(at) <= nowMs ? 'now' : nearText(at, nowMs);
}

/** Milliseconds, or the ISO form. */
export type Instant = number | string;

const hoursAndMinutes = { hour: '2-digit', minute: '2-digit' } as const;
const toSecond = { ...hoursAndMinutes, second: '2-digit' } as const;
const dayAndMonth = { day: 'numeric', month: 'short' } as const;
const weekdayAndDay = { weekday: 'short', ...dayAndMonth } as const;

const formats = {
  day: dayAndMonth,
  hoursAndMinutes,
  clock: toSecond,
  preciseClock: { ...toSecond, fractionalSecondDigits: 1 },
  dayAndClock: { ...dayAndMonth, ...hoursAndMinutes },
  yearAndClock: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { ...weekdayAndDay, ...hoursAndMinutes },
  exactWithYear: { ...weekdayAndDay, year: 'numeric', ...hoursAndMinutes },
  weekdayAndClock: { weekday: 'long', ...hoursAndMinutes },
  full: { dateStyle: 'full', timeStyle: 'long' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long' },
  longDayWithYear: { dateStyle: 'full' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Only the time of day, to the second. */
export function clockText(at: Instant): string {
  return format(at, 'clock');
}

/** Only the time of day, to the minute. */
export function hourText(at: Instant): string {
  return format(at, 'hoursAndMinutes');
}

/** The time of day to a tenth of a second, for steps that follow each other quickly. */
export function preciseClockText(at: Instant): string {
  return format(at, 'preciseClock');
}

/** For lists: today only the time of day, this year the day too, otherwise the year too. */
export function momentText(at: Instant, nowMs: number): string {
  if (areOfOneDay(at, nowMs)) return format(at, 'hoursAndMinutes');
  return format(at, areOfOneYear(at, nowMs) ? 'dayAndClock' : 'yearAndClock');
}

/** The day and the time of day: "Tue 24 Nov, 03:12", with the year unless it is this one. */
export function exactText(at: Instant, nowMs: number): string {
  return format(at, areOfOneYear(at, nowMs) ? 'exact' : 'exactWithYear');
}

/** Relative to the present day: "today 14:05", "tomorrow 03:12", a weekday in the coming days, otherwise the day. */
export function nearText(at: Instant, nowMs: number): string {
  const ms = msOf(at);
  const isDaysLater = (days: number): boolean =>
    ms >= startOfDay(nowMs, days) && ms < startOfDay(nowMs, days + 1);
  if (isDaysLater(0)) return `today ${format(ms, 'hoursAndMinutes')}`;
  if (isDaysLater(1)) return `tomorrow ${format(ms, 'hoursAndMinutes')}`;
  if (isDaysLater(-1)) return `yesterday ${format(ms, 'hoursAndMinutes')}`;
  if (ms >= startOfDay(nowMs, 2) && ms < startOfDay(nowMs, 7)) return format(ms, 'weekdayAndClock');
  return format(ms, areOfOneYear(ms, nowMs) ? 'dayAndClock' : 'yearAndClock');
}

/** The day and the time of day whatever the day is now: for menus, which may stay open at midnight. */
export function menuText(at: Instant, timeZone?: string): string {
  // Created each time: the tray exists as long as the program, and the time zone may change meanwhile.
  return new Date(at).toLocaleString(undefined, { ...weekdayAndDay, ...hoursAndMinutes, timeZone });
}

/** The day of the month, where the year is clear from what is around it. */
export function shortDayText(at: Instant): string {
  return format(at, 'day');
}

/** The day in full and the time of day to the second. */
export function instantText(at: Instant): string {
  return format(at, 'full');
}

/** Everything about an instant, with its ISO form on a second line: what a hover shows. */
export function fullText(at: string): string {
  return isInstant(at) ? `${instantText(at)}\n${at}` : at;
}

/** The day alone: `Today`, `Yesterday`, `Friday 21 November`, with the year unless it is this one. */
export function dayText(at: string, nowMs: number): string {
  if (!isInstant(at)) return at;
  if (areOfOneDay(at, nowMs)) return 'Today';
  if (areOfOneDay(at, startOfDay(nowMs, -1))) return 'Yesterday';
  return format(at, areOfOneYear(at, nowMs) ? 'longDay' : 'longDayWithYear');
}

/**
 * `2026-11-21 08:19:33`, in the local time zone.
 *
 * The form of the command line: every instant has the same width, sorts as text and can be cut out of a line.
 */
export function localTime(at: Instant): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}

/** Whether two instants are on the same day of the local calendar. */
export function areOfOneDay(one: Instant, other: Instant): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

function areOfOneYear(one: Instant, other: Instant): boolean {
  return new Date(one).getFullYear() === new Date(other).getFullYear();
}

/** The beginning of a day of the local calendar, which is not always 24 hours long. */
export function startOfDay(nowMs: number, daysLater: number): number {
  const date = new Date(nowMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
}

/** The beginning of a day that is written `2026-11-21`, or of a later one, as an instant (ISO); undefined for another text. */
export function startOfDate(date: string, daysLater: number): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(day) + daysLater);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

/** How long a pause can be chosen to last: for an hour, until tomorrow, or until a person resumes. */
export const pauseSpans = ['hour', 'tomorrow', 'resumed'] as const;
export type PauseSpan = (typeof pauseSpans)[number];

/** The hour of the next day, on the person's clock, at which a pause until tomorrow ends. */
const morningHour = 8;

/** When a pause that begins `now` ends (ISO), or null when it lasts until a person resumes. */
export function pauseUntil(span: PauseSpan, now: Date): string | null {
  switch (span) {
    case 'hour':
      return new Date(now.getTime() + hourMs).toISOString();
    case 'tomorrow':
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, morningHour).toISOString();
    case 'resumed':
      return null;
  }
}

function msOf(at: Instant): number {
  return new Date(at).getTime();
}

function isInstant(at: string): boolean {
  return !Number.isNaN(Date.parse(at));
}

const made = new Map<keyof typeof formats, Intl.DateTimeFormat>();

/** A text that is no instant, from a service that is newer than this, is shown as it is. */
function format(at: Instant, name: keyof typeof formats): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  let found = made.get(name);
  if (found === undefined) made.set(name, (found = new Intl.DateTimeFormat(undefined, formats[name])));
  return found.format(date);
}
