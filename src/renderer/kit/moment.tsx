const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const yearDayAndClock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/**
 * An instant in the person's own time, with the exact one on hover.
 *
 * Today only the clock, this year the day, otherwise the year too. Nothing relative ("2 minutes ago"): that would be
 * wrong a minute later or need a timer in every row.
 */
export function Moment({ at }: { at: string }) {
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={exactInstant(at)}>
      {wordsFor(instant, new Date())}
    </time>
  );
}

function wordsFor(instant: Date, now: Date): string {
  if (instant.toDateString() === now.toDateString()) return clock.format(instant);
  if (instant.getFullYear() === now.getFullYear()) return dayAndClock.format(instant);
  return yearDayAndClock.format(instant);
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** An instant to the second in the person's own words and zone, with its ISO form: what a hover shows. */
export function exactInstant(at: string): string {
  const instant = new Date(at);
  return Number.isNaN(instant.getTime()) ? at : `${exact.format(instant)}\n${at}`;
}

const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const exactClock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const thisYear = new Intl.DateTimeFormat(undefined, { ...parts, ...exactClock });
const otherYear = new Intl.DateTimeFormat(undefined, { ...parts, ...exactClock, year: 'numeric' });

/** An instant to the second with its day, in the person's own time: "Tue 24 Nov, 03:12:07". */
export function ExactMoment({ at }: { at: string }) {
  const instant = new Date(at);
  const format = instant.getFullYear() === new Date().getFullYear() ? thisYear : otherYear;
  return (
    <time dateTime={at} title={exactInstant(at)}>
      {format.format(instant)}
    </time>
  );
}
