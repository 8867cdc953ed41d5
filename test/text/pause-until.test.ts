import { afterEach, describe, expect, it } from 'vitest';
import { pauseUntil } from '../../src/text/time.ts';

const zoneBefore = process.env['TZ'];

/** The zone of this process, until the test is over. */
function liveIn(zone: string): void {
  process.env['TZ'] = zone;
}

afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zoneBefore;
});

describe('a pause of an hour', () => {
  it.each([
    ['on any day', 'Europe/Berlin', '2026-06-10T12:34:56.789Z', '2026-06-10T13:34:56.789Z'],
    ['over midnight', 'Europe/Berlin', '2026-06-10T21:30:00.000Z', '2026-06-10T22:30:00.000Z'],
    // 01:30 to 03:30 on the wall.
    ['when the clock skips an hour', 'Europe/Berlin', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z'],
    // 02:30 to 02:30 on the wall.
    [
      'when the clock repeats an hour',
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ],
  ])('%s ends sixty minutes later', (_name, zone, now, until) => {
    liveIn(zone);
    expect(pauseUntil('hour', new Date(now))).toBe(until);
  });
});

describe('a pause until tomorrow', () => {
  it.each([
    ['an afternoon', 'Europe/Berlin', '2026-06-10T12:00:00.000Z', '2026-06-11T06:00:00.000Z'],
    ['right before midnight', 'Europe/Berlin', '2026-06-10T21:59:59.999Z', '2026-06-11T06:00:00.000Z'],
    ['right after midnight', 'Europe/Berlin', '2026-06-10T22:00:00.000Z', '2026-06-12T06:00:00.000Z'],
    ['the last day of a year', 'Asia/Kolkata', '2026-12-31T10:00:00.000Z', '2027-01-01T02:30:00.000Z'],
    [
      'the day before 29 February',
      'America/New_York',
      '2028-02-28T20:00:00.000Z',
      '2028-02-29T13:00:00.000Z',
    ],
    [
      'the night that is an hour shorter',
      'Europe/Berlin',
      '2026-03-28T20:00:00.000Z',
      '2026-03-29T06:00:00.000Z',
    ],
    [
      'the night that is an hour longer',
      'Europe/Berlin',
      '2026-10-24T20:00:00.000Z',
      '2026-10-25T07:00:00.000Z',
    ],
    [
      'a day whose midnight is skipped',
      'Africa/Cairo',
      '2026-04-23T15:00:00.000Z',
      '2026-04-24T05:00:00.000Z',
    ],
  ])('begun on %s ends at eight of the next day', (_name, zone, now, until) => {
    liveIn(zone);
    const end = pauseUntil('tomorrow', new Date(now));
    expect(end).toBe(until);
    expect(new Date(end ?? '').getHours()).toBe(8);
  });
});

it('a pause until it is resumed has no end', () => {
  expect(pauseUntil('resumed', new Date('2026-06-10T12:00:00.000Z'))).toBeNull();
});
