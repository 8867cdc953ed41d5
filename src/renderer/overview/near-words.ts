import { midnight } from './lifeline/time-scale.ts';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekdayAndClock = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  hour: '2-digit',
  minute: '2-digit',
});
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const withYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** When something is, as a person says it: “today 14:05”, “tomorrow 03:12”, a weekday in the coming days, else the day. */
export function nearWords(at: number | string, nowMs: number): string {
  const ms = new Date(at).getTime();
  if (ms >= midnight(nowMs, 0) && ms < midnight(nowMs, 1)) return `today ${clock.format(ms)}`;
  if (ms >= midnight(nowMs, 1) && ms < midnight(nowMs, 2)) return `tomorrow ${clock.format(ms)}`;
  if (ms >= midnight(nowMs, -1) && ms < midnight(nowMs, 0)) return `yesterday ${clock.format(ms)}`;
  if (ms >= midnight(nowMs, 2) && ms < midnight(nowMs, 7)) return weekdayAndClock.format(ms);
  const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? dayAndClock : withYear).format(ms);
}

/** The exact instant, to the second, in the person's own zone. */
export function exactWords(at: number | string): string {
  return exact.format(new Date(at));
}
