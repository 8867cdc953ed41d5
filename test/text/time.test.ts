import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  dayText,
  dueText,
  durationLastsMs,
  durationText,
  exactText,
  expiryText,
  fullText,
  localTime,
  menuText,
  momentText,
  nearText,
  pauseUntil,
  startOfDate,
} from '../../src/text/time.ts';
import { attentionText } from '../../src/text/window/attention-text.ts';
import { namesText, tokenNameText } from '../../src/text/credential/credentials.ts';
import { isolated, quotedName } from '../../src/text/names.ts';
import { reuseNoticeText } from '../../src/text/window/notices-text.ts';
import { moveDialogText } from '../../src/text/token/token-list-text.ts';
import { windowTitle } from '../../src/text/window/window.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('a duration', () => {
  const table: [number, string][] = [
    [-dayMs, '0 min'],
    [0, '0 min'],
    [1, 'under 1 min'],
    [minuteMs - 1, 'under 1 min'],
    [minuteMs, '1 min'],
    [12 * minuteMs + 59_999, '12 min'],
    [hourMs - 1, '59 min'],
    [hourMs, '1 h'],
    [hourMs + minuteMs - 1, '1 h'],
    [hourMs + minuteMs, '1 h 1 min'],
    [3 * hourMs + 12 * minuteMs, '3 h 12 min'],
    [dayMs - 1, '23 h 59 min'],
    [dayMs, '1 d'],
    [dayMs + hourMs - 1, '1 d'],
    [dayMs + hourMs, '1 d 1 h'],
    [2 * dayMs + 4 * hourMs + 59 * minuteMs, '2 d 4 h'],
    [90 * dayMs, '90 d'],
  ];
  it.each(table)('of %i ms is %s', (leftMs, text) => {
    expect(durationText(leftMs)).toBe(text);
  });

  it('never says more than is left, nor an hour less than that', () => {
    fc.assert(
      fc.property(anyLeft, (leftMs) => {
        const saidMs = readDuration(durationText(leftMs));
        expect(saidMs).toBeLessThanOrEqual(leftMs);
        expect(leftMs - saidMs).toBeLessThan(leftMs >= dayMs ? hourMs : minuteMs);
      }),
    );
  });
});

describe('how long the text of a duration stays the same', () => {
  const units = [minuteMs, 2 * minuteMs, hourMs, hourMs + minuteMs, dayMs, dayMs + hourMs, 2 * dayMs];
  const edges = units.flatMap((unit) => [unit - 1, unit, unit + 1]);
  it.each([2, minuteMs / 2, ...edges])(
    'with %i ms left: the same until then, another right after',
    (leftMs) => {
      expectToHoldUntil(leftMs);
    },
  );

  it('is told to the millisecond, whatever is left', () => {
    fc.assert(fc.property(anyLeft, expectToHoldUntil));
  });

  it.each([0, -1, -dayMs])('with %i ms left is for ever', (leftMs) => {
    expect(durationLastsMs(leftMs)).toBe(Infinity);
  });
});

/** From one millisecond to beyond the longest token, as often below an hour as above a day. */
const anyLeft = fc.oneof(
  fc.integer({ min: 1, max: hourMs }),
  fc.integer({ min: 1, max: 2 * dayMs }),
  fc.integer({ min: 1, max: 100 * dayMs }),
);

/** The last of it ends in expiry, which is not a duration. */
function textAt(leftMs: number): string {
  return leftMs > 0 ? durationText(leftMs) : 'expired';
}

function expectToHoldUntil(leftMs: number): void {
  const lastsMs = durationLastsMs(leftMs);
  expect(lastsMs).toBeGreaterThan(0);
  expect(textAt(leftMs - lastsMs + 1)).toBe(textAt(leftMs));
  expect(textAt(leftMs - lastsMs)).not.toBe(textAt(leftMs));
}

function readDuration(text: string): number {
  const units: Record<string, number> = { d: dayMs, h: hourMs, min: minuteMs };
  if (text === 'under 1 min') return 0;
  expect(text).toMatch(/^[1-9]\d* (?:d|h|min)(?: [1-9]\d* (?:h|min))?$/);
  return [...text.matchAll(/(\d+) (d|h|min)/g)].reduce(
    (sumMs, [, count, unit]) => sumMs + Number(count) * (units[unit ?? ''] ?? NaN),
    0,
  );
}

describe('an instant', () => {
  const noon = new Date(2026, 2, 10, 12).getTime();
  const at = (day: number, hour = 9): number => new Date(2026, 2, day, hour, 30, 44).getTime();

  it.each([
    ['today', 10, /^today .*30/],
    ['tomorrow', 11, /^tomorrow /],
    ['yesterday', 9, /^yesterday /],
    ['a weekday in the coming days', 13, /day/i],
    ['a day later on', 30, /30/],
    ['a day with its year in another one', 400, /2027/],
  ])('near now is %s', (_what, day, expected) => {
    expect(nearText(at(day), noon)).toMatch(expected);
  });

  it('in a list is as short as it can be', () => {
    expect(momentText(at(10), noon)).toMatch(/30/);
    expect(momentText(at(10), noon), 'seconds are on the hover').not.toMatch(/44/);
    expect(momentText(at(10), noon)).not.toMatch(/10/);
    expect(momentText(at(9), noon)).toMatch(/9.*30/);
    expect(momentText(at(9), noon)).not.toContain('2026');
    expect(momentText(at(-100), noon)).toContain('2025');
  });

  it('has its day and is exact to the minute, with its year when that is another one', () => {
    expect(exactText(at(9), noon)).toMatch(/9.*30/);
    expect(exactText(at(9), noon), 'seconds are on the hover').not.toMatch(/44/);
    expect(exactText(at(9), noon)).not.toContain('2026');
    expect(exactText(at(400), noon)).toContain('2027');
  });

  it('has everything on a hover, and is shown as it is when it is no instant', () => {
    const iso = new Date(at(9)).toISOString();
    expect(fullText(iso)).toMatch(new RegExp(`2026.*30.44.*\\n${iso}$`));
    expect([fullText('whenever'), momentText('whenever', noon), dayText('whenever', noon)]).toEqual([
      'whenever',
      'whenever',
      'whenever',
    ]);
  });

  it('in a menu is in the time zone of the machine', () => {
    expect(menuText('2026-11-21T23:30:00.000Z', 'Asia/Kolkata')).toMatch(/22.*0?5.00/);
  });

  it('in the command line has one width', () => {
    expect(localTime(at(9))).toBe('2026-03-09 09:30:44');
  });
});

describe('a day', () => {
  const now = new Date(2026, 2, 10, 0, 30).getTime();
  it.each([
    [new Date(2026, 2, 10, 0, 1), 'Today'],
    [new Date(2026, 2, 9, 23, 59), 'Yesterday'],
    [new Date(2026, 2, 9, 0, 0), 'Yesterday'],
  ])('%s is %s', (day, words) => {
    expect(dayText(day.toISOString(), now)).toBe(words);
  });

  it('has its year when that is another one', () => {
    expect(dayText(new Date(2026, 2, 8).toISOString(), now)).not.toContain('2026');
    expect(dayText(new Date(2025, 2, 8).toISOString(), now)).toContain('2025');
  });
});

describe('an expiry', () => {
  const now = new Date(2026, 2, 10, 12).getTime();
  it('is said in the tense that is true', () => {
    expect(expiryText(now + 1, now)).toMatch(/^Expires today /);
    expect(expiryText(now, now)).toMatch(/^Expired today /);
    expect(expiryText(new Date(2026, 2, 11, 12).getTime(), now, { isOver: true })).toMatch(
      /^Ended before its expiry tomorrow /,
    );
  });

  it('of an attempt that is due says now', () => {
    expect(dueText(now, now)).toBe('now');
    expect(dueText(now + 60_000, now)).toMatch(/^today /);
  });
});

describe('a date', () => {
  it('is a day of the local calendar', () => {
    expect(startOfDate('2026-03-10', 0)).toBe(new Date(2026, 2, 10).toISOString());
    expect(startOfDate('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString());
    expect(startOfDate('10.3.2026', 0)).toBeUndefined();
  });
});

const name = 'تقرير';
const whole = `\u2068${name}\u2069`;

it.each([
  ['letters from right to left', name, whole],
  ['Hebrew beside Latin letters', 'crm קו', '\u2068crm קו\u2069'],
  ['an override', 'a\u202eb', '\u2068a\u202eb\u2069'],
  ['an isolate that would end ours', 'a\u2069b', '\u2068ab\u2069'],
  ['Latin, Cyrillic and Han letters', 'crm Ключ 鍵', 'crm Ключ 鍵'],
])('a name with %s leaves the order of its sentence alone', (_what, given, expected) => {
  expect(isolated(given)).toBe(expected);
  expect(quotedName(given)).toBe(`“${expected}”`);
});

it('titles, questions, labels and notices isolate the names in them', () => {
  const item = {
    kind: 'suspended_ends',
    family_id: 'fam_a',
    token_id: 'tok_a_1',
    name,
    reason: null,
  } as const;
  const expiring = { ...item, expires_at: '2026-01-01T00:00:00.000Z' } as unknown as Parameters<
    typeof attentionText
  >[0];
  expect(attentionText(expiring, 0).title).toBe(`“${whole}” is suspended and expires soon`);
  expect(windowTitle(name)).toBe(`${whole} — Rotavox`);
  expect(moveDialogText.title('suspend', name)).toBe(`Suspend “${whole}”?`);
  expect(tokenNameText({ name, kept_fresh_by: 'crm' })).toBe(`crm (${whole})`);
  expect(namesText([name, 'crm'])).toBe(`“${whole}” and “crm”`);
  expect(reuseNoticeText([name], { address: '::1', user_agent: null }, 0).title).toContain(`“${whole}”`);
});

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
