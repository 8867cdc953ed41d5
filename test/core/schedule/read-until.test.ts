import { expect, it } from 'vitest';
import { readInstant, readUntil, writeLocalTime } from '../../../src/core/schedule/read-until.ts';

const berlin = 'Europe/Berlin';
/** Friday, 13:00 in Berlin. */
const now = '2026-11-27T12:00:00Z';

it.each([
  ['17:00', now, '2026-11-27T16:00:00.000Z'],
  // Not in the past: the next 13:00 is tomorrow.
  ['13:00', now, '2026-11-28T12:00:00.000Z'],
  ['8:00', now, '2026-11-28T07:00:00.000Z'],
  ['today 18:30', now, '2026-11-27T17:30:00.000Z'],
  ['tomorrow 08:00', now, '2026-11-28T07:00:00.000Z'],
  [' Tomorrow ', now, '2026-11-27T23:00:00.000Z'],
  ['2026-12-24', now, '2026-12-23T23:00:00.000Z'],
  ['2026-12-24 12:00', now, '2026-12-24T11:00:00.000Z'],
  ['2026-12-24T12:00', now, '2026-12-24T11:00:00.000Z'],
  ['2026-12-24T12:00:00Z', now, '2026-12-24T12:00:00.000Z'],
  ['2026-12-24T12:00-05:00', now, '2026-12-24T17:00:00.000Z'],
  // The clock goes from 02:00 to 03:00 that night, and back from 03:00 to 02:00 in autumn.
  ['2027-03-28 02:30', now, '2027-03-28T01:30:00.000Z'],
  ['2026-10-25 02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  // Near midnight, it is tomorrow in Berlin already.
  ['tomorrow 08:00', '2026-11-27T23:30:00Z', '2026-11-29T07:00:00.000Z'],
])('reads %o at %s', (text, at, instant) => {
  const read = readUntil(text, berlin, Date.parse(at));
  expect(read.ok && new Date(read.value).toISOString()).toBe(instant);
});

it.each([
  ['', 'not_a_time'],
  ['today', 'not_a_time'],
  ['25:00', 'not_a_time'],
  ['17:60', 'not_a_time'],
  ['17:00 tomorrow', 'not_a_time'],
  ['2026-13-01', 'no_such_date'],
  ['2026-02-29 10:00', 'no_such_date'],
  ['2026-02-30T10:00:00Z', 'no_such_date'],
  ['today 12:00', 'over'],
  ['2026-11-27', 'over'],
  ['0000-01-01T00:00Z', 'over'],
])('refuses %o: %s', (text, refusal) => {
  expect(readUntil(text, berlin, Date.parse(now))).toEqual({ ok: false, refusal });
});

it.each([
  ['2026-12-24T11:00:00Z', berlin, '2026-12-24 12:00'],
  ['2026-12-31T23:59:59.999Z', 'America/New_York', '2026-12-31 18:59'],
  ['2026-12-31T23:30:00Z', 'Asia/Kolkata', '2027-01-01 05:00'],
  ['2026-12-31T23:30:00Z', 'No/Zone', '2026-12-31 23:30'],
])('writes %s in %s as %s, which is read as that minute again', (at, zone, written) => {
  const ms = Date.parse(at);
  expect(writeLocalTime(ms, zone)).toBe(written);
  const minute = ms - (ms % 60_000);
  expect(readInstant(written, zone, Date.parse(now))).toEqual({ ok: true, value: minute });
});
