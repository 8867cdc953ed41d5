import type { ZoneOffset } from '../../../src/core/rotation/due-at.ts';

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
