import { exactInstant } from '../kit/exact-instant.ts';

const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const thisYear = new Intl.DateTimeFormat(undefined, { ...parts, ...clock });
const otherYear = new Intl.DateTimeFormat(undefined, { ...parts, ...clock, year: 'numeric' });

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
