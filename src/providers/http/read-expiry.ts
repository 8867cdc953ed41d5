import type { AssumedExpiry } from '../../contract/credential/credential.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import { dayMs } from '../../core/token/token-record.ts';

/**
 * What a service said about when a token expires. `at`: the earliest instant that it can mean, by our clock. `never`: it has no end.
 * `too_far`: later than is believed. `unreadable`: not to be understood. `said` is its text, for a message.
 */
export type SaidExpiry =
  | { readonly kind: 'at'; readonly atMs: number }
  | { readonly kind: 'never' }
  | { readonly kind: 'too_far' | 'unreadable'; readonly said: string }
  | { readonly kind: 'not_said' };

/** The instant that a service said, in milliseconds; null: it has said none that is believed. */
export function saidEndMs(said: SaidExpiry): number | null {
  return said.kind === 'at' ? said.atMs : null;
}

/** Why the end of a token has to be assumed after its service said this; null: it has said it. */
export function assumedBy(said: SaidExpiry): AssumedExpiry | null {
  switch (said.kind) {
    case 'at':
      return null;
    case 'not_said':
    case 'never':
      return said.kind;
    case 'too_far':
    case 'unreadable':
      return 'not_usable';
  }
}

/** No clock is further ahead of UTC, in milliseconds. */
const furthestZoneMs = 14 * 3_600_000;
const hourMs = 3_600_000;
/** From here on a year stands for "never": 2999, 9999 and the like, and the year 1 of Go. */
const foreverMs = Date.UTC(2200, 0);
const epochStartMs = Date.UTC(1971, 0);

const never =
  /^(?:never|none|no|null|nil|unlimited|infinite|infinity|forever|indefinite(?:ly)?|does not expire|no[ _-]expir(?:y|ation)|-1|0|false)$/i;
const wordsZone: Readonly<Record<string, string>> = { z: 'Z', utc: 'Z', gmt: 'Z', ut: 'Z' };
/** `2026-12-31`, `2026-12-31T23:59`, `2026-12-31 23:59:59.123456789 +0200`, `… UTC`. */
const written =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}):(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?(?:\s*(Z|UTC|GMT|UT|[+-]\d\d(?::?\d\d)?))?(?:\s+[A-Z]{3,5}|\[[\w/+-]+\])?)?$/i;
/**
 * `20261231235959`, `20261231T235959Z`, `202612312359`, `20261231235959000`, `20261231235959.0Z`: the same without signs. No token has
 * an end that is so much later as a number.
 */
const compact =
  /^(20\d\d)([01]\d)([0-3]\d)T?([0-2]\d)([0-5]\d)(?:([0-5]\d)([.,]\d{1,9}|\d{3}|\d{6})?)?(Z|[+-]\d\d:?\d\d)?$/i;
/** Of .NET: milliseconds since 1970; the zone is only how it was shown there. */
const ofDotNet = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/;
/** `Thu Dec 31 23:59:59 2026`, with a zone before the year or without: C, Ruby and Java. */
const ofC = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d)( [A-Z]{3,5}| [+-]\d{4})? (\d{4})$/;
/** `Thu, 31 Dec 2026 23:59:59 GMT`, and what Go calls such a text. */
const ofHeader =
  /^(?:[A-Z][a-z]+,?\s+)?(?:\d{1,2}[ -][A-Z][a-z]{2}[a-z]*[ -]\d{4}|[A-Z][a-z]{2}[a-z]*\.?\s+\d{1,2},?\s+\d{4})\b/;

/**
 * Reads an expiry in any of the forms that services write: an instant, a local time, a date, seconds or milliseconds since 1970.
 *
 * What a text leaves open (the zone of a local time, the hour of a date) is read as the earliest instant that it can mean, because a
 * token that is rotated too early is no harm. If that is past already, while the service still accepts the token, it is the earliest
 * one ahead. `skewMs`: how far the clock of the service is ahead of ours.
 */
export function readExpiry(
  said: unknown,
  { nowMs, skewMs = 0 }: { readonly nowMs: number; readonly skewMs?: number },
): SaidExpiry {
  if (said === undefined || said === '') return { kind: 'not_said' };
  if (said === null || said === false) return { kind: 'never' };
  const text =
    typeof said === 'string' || typeof said === 'number' ? String(said).trim() : JSON.stringify(said);
  if (never.test(text)) return { kind: 'never' };
  const found = readInstant(text);
  if (found === null) return { kind: 'unreadable', said: text };
  const { ms, openMs } = found;
  if (ms >= foreverMs || ms < epochStartMs) return { kind: 'never' };
  const latestMs = ms - skewMs;
  let atMs = latestMs - openMs;
  while (atMs <= nowMs && atMs + hourMs <= latestMs) atMs += hourMs;
  if (atMs - nowMs > longestValidityDays * dayMs) return { kind: 'too_far', said: text };
  return { kind: 'at', atMs };
}

/** An instant, and how much earlier it may be. */
interface ReadInstant {
  readonly ms: number;
  readonly openMs: number;
}

function spreadOut(_all: string, ...[year, month, day, hours, minutes, seconds, fraction, zone]: string[]) {
  const parts = (fraction ?? '').replace(/^[.,]/, '');
  return `${year}-${month}-${day}T${hours}:${minutes}:${seconds ?? '00'}.${parts}0${zone ?? ''}`;
}

function readInstant(said: string): ReadInstant | null {
  const text = said
    .replace(compact, spreadOut)
    .replace(ofC, '$2 $1 $5 $3$4')
    // What a name of a zone stands for is open: there are an IST of Ireland, Israel and India.
    .replace(/(?<=:\d\d) (?!GMT|UTC)[A-Z]{3,5}$/, '');
  if (/^[+-]?\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text)) {
    const ms = epochMs(Number(text), /^\d{8}$/.test(text) ? text : null);
    return ms === null ? null : { ms, openMs: 0 };
  }
  const [, year, month, day, hours, minutes, seconds, fraction, zone] = written.exec(text) ?? [];
  if (year !== undefined && month !== undefined && day !== undefined) {
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    // Of a date both its beginning and its end can be meant.
    if (hours === undefined || minutes === undefined)
      return dated(`${date}T00:00:00Z`, 2 * furthestZoneMs + dayMs, furthestZoneMs + dayMs);
    const time = `${hours.padStart(2, '0')}:${minutes}:${seconds ?? '00'}.${(fraction ?? '').slice(0, 3).padEnd(3, '0')}`;
    if (zone === undefined) return dated(`${date}T${time}Z`, 2 * furthestZoneMs, furthestZoneMs);
    const offset = zone.replace(
      /^([+-]\d\d):?(\d\d)?$/,
      (_all, hour: string, minute = '00') => `${hour}:${String(minute)}`,
    );
    return dated(`${date}T${time}${wordsZone[zone.toLowerCase()] ?? offset}`);
  }
  const dotNetMs = ofDotNet.exec(text)?.[1];
  if (dotNetMs !== undefined) return { ms: Number(dotNetMs), openMs: 0 };
  if (!ofHeader.test(text)) return null;
  // Without a zone it is a local time of the service. The year of `31-Dec-2026` is none.
  const hasZone = /(?:GMT|UTC|UT|Z|(?:\s|GMT|UTC|\d:\d\d)[+-]\d{4})(?:\s*\([^()]*\))?$/.test(text);
  return hasZone ? dated(text) : dated(`${text} UTC`, 2 * furthestZoneMs, furthestZoneMs);
}

/** `laterMs`: how much later than in UTC it may be. */
function dated(text: string, openMs = 0, laterMs = 0): ReadInstant | null {
  const ms = Date.parse(text);
  // The thirtieth of February would be read as a day of March.
  const day = /^\d{4}-\d\d-(\d\d)T/.exec(text)?.[1];
  const isDay =
    day === undefined || new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`)).getUTCDate() === Number(day);
  return Number.isNaN(ms) || !isDay ? null : { ms: ms + laterMs, openMs };
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told by their size; `20261231` is a date. */
function epochMs(number: number, date: string | null): number | null {
  if (!Number.isFinite(number)) return null;
  if (date !== null && /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(date)) {
    return (
      Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6))) - furthestZoneMs
    );
  }
  // A number of seconds from now, perhaps: not what was asked for.
  if (number < 1e9) return null;
  if (number < 1e12) return number * 1000;
  if (number < 1e15) return number;
  // Not since 1970, but the counts of Windows (since 1601) and .NET (since the year 1).
  if (number >= 1e17 && number < 9e17) return null;
  return number < 1e18 ? number / 1e3 : number / 1e6;
}

/** An end that some other text tells; null where it is later than is believed. */
export function believedMs(endMs: number | null, nowMs: number): number | null {
  return endMs !== null && endMs - nowMs <= longestValidityDays * dayMs ? endMs : null;
}
