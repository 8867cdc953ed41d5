import { Temporal } from 'temporal-polyfill';

/** Without 1970 and 9999, so that a day before or after still is a date. */
const firstMs = Date.UTC(1970, 0, 2);
const lastMs = Date.UTC(9998, 11, 31);

const maxKnownZones = 1000;
const knownZones = new Map<string, string | null>();

/** The IANA name as it is written (`europe/berlin` is `Europe/Berlin`); null: not known here. An offset such as `+01:00` is no zone. */
export function knownTimeZone(name: string): string | null {
  let known = knownZones.get(name);
  if (known === undefined) {
    known = /^[a-z]/i.test(name) ? readZone(name) : null;
    if (knownZones.size >= maxKnownZones) knownZones.clear();
    knownZones.set(name, known);
  }
  return known;
}

function readZone(name: string): string | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/**
 * What a clock on the wall shows in a time zone at an instant, from 1970 to 9998.
 *
 * A zone that is not known on this machine counts as UTC: the checks of a schedule report it, and a call still gets an answer.
 */
export function localTimeAt(zone: string, at: number): Temporal.ZonedDateTime {
  const ms = Number.isFinite(at) ? Math.min(Math.max(Math.floor(at), firstMs), lastMs) : firstMs;
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(knownTimeZone(zone) ?? 'UTC');
}
