import fc from 'fast-check';
import type { RotationPolicy } from '../../../src/contract/credential/credential.ts';
import type { TokenLifetime, ZoneOffset } from '../../../src/core/rotation/due-at.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const noon = Date.parse('2026-06-01T12:00:00Z');

/** The lifetimes the product is for. */
export const lifetimes: [name: string, lifetimeMs: number][] = [
  ['10 seconds', 10_000],
  ['1 day', dayMs],
  ['7 days', 7 * dayMs],
  ['15 days', 15 * dayMs],
  ['30 days', 30 * dayMs],
  ['90 days', 90 * dayMs],
];

export function lifetimeOf(lifetimeMs: number, obtainedAtMs = noon): TokenLifetime {
  return { obtainedAtMs, expiresAtMs: obtainedAtMs + lifetimeMs };
}

/** Any lifetime from ten seconds to 90 days, short ones as often as long ones, begun on any day of 2026. */
export const anyLifetime = fc
  .record({
    magnitude: fc.double({ min: Math.log(10_000), max: Math.log(90 * dayMs), noNaN: true }),
    obtainedAtMs: fc.integer({
      min: Date.parse('2026-01-01T00:00:00Z'),
      max: Date.parse('2027-01-01T00:00:00Z'),
    }),
  })
  .map(({ magnitude, obtainedAtMs }) => lifetimeOf(Math.round(Math.exp(magnitude)), obtainedAtMs));

export const anyFraction = fc.double({ min: 0.1, max: 0.9, noNaN: true });

const clockTime = fc
  .integer({ min: 0, max: 1439 })
  .map(
    (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  );

export const anyHours: fc.Arbitrary<NonNullable<RotationPolicy['preferred_hours']>> = fc.record({
  from: clockTime,
  to: clockTime,
});

/** A thousand credentials added in one minute: ids that differ in their last characters only. */
export const thousandSeeds = Array.from({ length: 1000 }, (_, number) => `crd_${number}:1`);

/** How many of the values, which must lie in the span, fall into each tenth of it. */
export function countsByTenth(values: readonly number[], from: number, until: number): number[] {
  const counts = Array.from({ length: 10 }, () => 0);
  for (const value of values) {
    const tenth = Math.floor(((value - from) / (until - from)) * 10);
    if (counts[tenth] === undefined) throw new RangeError(`${value} is outside ${from} to ${until}`);
    counts[tenth] += 1;
  }
  return counts;
}

/** The tenths that hold far more or far fewer of a thousand draws than their hundred: five standard deviations and up. */
export function unevenTenths(counts: readonly number[]): string[] {
  return counts.flatMap((count, tenth) =>
    count > 50 && count < 150 ? [] : [`tenth ${tenth} has ${count} of 1,000`],
  );
}

const slotMs = 900_000;

/** A zone of the platform. Clocks change on quarters of an hour only, so one answer serves each quarter. */
export function zoneOf(timeZone: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  return (atMs) => {
    const slot = Math.floor(atMs / slotMs);
    let offset = known.get(slot);
    if (offset === undefined) {
      offset = readOffset(format.formatToParts(slot * slotMs));
      known.set(slot, offset);
    }
    return offset;
  };
}

/** `GMT`, `GMT+02:00`, `GMT-04:00`. */
function readOffset(parts: readonly Intl.DateTimeFormatPart[]): number {
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name);
  if (match === null)
    throw new Error(`The platform names an offset in a way this test does not read: ${name}`);
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}
