import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type HoursState,
  type ScheduleException,
  type ScheduleHours,
  ScheduleHours as HoursSchema,
  type ScheduleSwitch,
  type TimeRange,
  weekdays,
} from '../../../src/contract/menu/schedule.ts';
import { explainHours, hoursAt, nextChange } from '../../../src/core/schedule/hours-at.ts';
import { daysFrom } from '../../../src/core/schedule/day-hours.ts';
import { hoursOf, scheduled } from '../../fixtures/schedules.ts';

const minuteMs = 60_000;

/** The slow second opinion: what Intl says a clock on the wall shows, and a search through all ranges. */
function oracleAt(hours: ScheduleHours, at: number): HoursState {
  const { date, weekday, time } = wallClock(hours.time_zone, at);
  const today = rangesOf(hours, date, weekday);
  const yesterday = rangesOf(hours, dayBefore(date), (weekday + 6) % 7);
  const isOpen =
    today.ranges.some(({ from, to }) => time >= from && (to <= from || time < to)) ||
    yesterday.ranges.some(
      ({ from, to }) => (to <= from && time < to) || (from === '24:00' && to === '24:00'),
    );
  if (isOpen) return 'open';
  return today.isException ? 'holiday' : 'closed';
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(zone: string, at: number) {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      weekday: 'short',
    });
  formats.set(zone, format);
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    date: `${part['year']}-${part['month']}-${part['day']}`,
    weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part['weekday'] ?? ''),
    time: `${part['hour']}:${part['minute']}`,
  };
}

function rangesOf(hours: ScheduleHours, date: string, weekday: number) {
  const exception =
    hours.exceptions.find((one) => one.date === date) ??
    hours.exceptions.find((one) => one.date === date.slice(5));
  return exception === undefined
    ? { ranges: hours.weekly[weekdays[weekday] ?? 'mon'], isException: false }
    : { ranges: exception.ranges, isException: true };
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
}

const time = fc.oneof(
  fc.constantFrom('00:00', '24:00', '02:00', '02:30', '01:30', '03:00', '23:30'),
  fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`),
);
const range: fc.Arbitrary<TimeRange> = fc.record({ from: time, to: time });
const ranges = fc.array(range, { maxLength: 3 });

/** Days on which the clock of one of the zones is put forward or back, or a date is left out. */
const shifts = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/St_Johns', '2010-11-07'],
  ['America/Havana', '2026-11-01'],
  ['Africa/Cairo', '2024-04-26'],
  ['Pacific/Apia', '2011-12-30'],
  ['UTC', '2026-12-31'],
] as const;

const exceptionNear = (day: string): fc.Arbitrary<ScheduleException> =>
  fc
    .record({ days: fc.integer({ min: -2, max: 3 }), isYearly: fc.boolean(), ranges })
    .map(({ days, isYearly, ranges: open }) => {
      const date = new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
      return { date: isYearly ? date.slice(5) : date, name: 'Exception', ranges: open };
    });

const cases = fc.constantFrom(...shifts).chain(([zone, day]) =>
  fc.record({
    hours: fc
      .record({
        weekly: fc.record(
          Object.fromEntries(weekdays.map((weekday) => [weekday, ranges])) as Record<string, typeof ranges>,
        ),
        exceptions: fc.uniqueArray(exceptionNear(day), { maxLength: 3, selector: ({ date }) => date }),
      })
      .map(({ weekly, exceptions }) =>
        HoursSchema.parse({ id: 'hours_1', name: 'Office', time_zone: zone, weekly, exceptions }),
      ),
    at: fc
      .integer({ min: -2 * 1440, max: 2 * 1440 })
      .map((minutes) => Date.parse(`${day}T03:00:00Z`) + minutes * minuteMs),
  }),
);

describe('hoursAt', () => {
  it('says what a clock on the wall says, minute by minute around every shift', () => {
    fc.assert(
      fc.property(cases, ({ hours, at }) => {
        for (let minute = 0; minute < 30; minute += 1) {
          const instant = at + minute * 13 * minuteMs;
          expect({ instant, state: hoursAt(hours, scheduled, instant) }).toEqual({
            instant,
            state: oracleAt(hours, instant),
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('answers at any instant, in any zone, whatever the switch says', () => {
    fc.assert(
      fc.property(
        cases,
        fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, 8.64e15, -1)),
        fc.constantFrom('Europe/Berlin', 'Not/AZone', '', '+01:00'),
        fc.record({
          to: fc.constantFrom('schedule', 'open', 'closed'),
          until: fc.option(fc.oneof(fc.constantFrom('2026-12-01T00:00:00.000Z', '', 'later'), fc.string())),
        }),
        ({ hours }, at, zone, by) => {
          const odd = { ...hours, time_zone: zone };
          expect(['open', 'closed', 'holiday']).toContain(hoursAt(odd, by, at));
          nextChange(odd, by, at);
          expect(daysFrom(odd, at, 3)).toHaveLength(3);
        },
      ),
      { numRuns: 150 },
    );
  });

  const office = hoursOf({
    mon: [{ from: '08:00', to: '17:00' }],
    sat: [{ from: '22:00', to: '06:00' }],
    exceptions: [
      { date: '12-25', name: 'Christmas', ranges: [] },
      { date: '2026-12-25', name: 'Christmas party', ranges: [{ from: '10:00', to: '12:00' }] },
    ],
  });

  it.each([
    ['2026-11-30T08:00', 'open', 'weekly'],
    ['2026-11-30T07:59', 'closed', 'weekly'],
    ['2026-11-30T17:00', 'closed', 'weekly'],
    // Saturday night passes midnight into Sunday.
    ['2026-11-29T05:59', 'open', 'weekly'],
    ['2026-11-29T06:00', 'closed', 'weekly'],
    ['2026-12-25T11:00', 'open', 'Christmas party'],
    ['2026-12-25T12:00', 'holiday', 'Christmas party'],
    ['2027-12-25T11:00', 'holiday', 'Christmas'],
  ])('at %s in Berlin it is %s because of %s', (local, state, why) => {
    const found = explainHours(office, scheduled, Date.parse(`${local}+01:00`));
    const { reason } = found;
    expect([found.state, reason.kind === 'exception' ? reason.exception.name : reason.kind]).toEqual([
      state,
      why,
    ]);
  });

  it('puts the switch before the hours and before holidays until its end', () => {
    const closed: ScheduleSwitch = { to: 'closed', until: '2026-11-30T09:00:00.000Z' };
    expect(explainHours(office, closed, Date.parse('2026-11-30T08:59:59.999Z'))).toEqual({
      state: 'closed',
      reason: { kind: 'by_hand', until: '2026-11-30T09:00:00.000Z' },
    });
    expect(hoursAt(office, closed, Date.parse('2026-11-30T09:00:00.000Z'))).toBe('open');
    expect(hoursAt(office, { to: 'open', until: null }, Date.parse('2027-12-25T11:00Z'))).toBe('open');
    expect(hoursAt(office, { to: 'closed', until: null }, Date.parse('2027-12-25T11:00Z'))).toBe('closed');
  });
});

describe('nextChange', () => {
  it('is the first minute at which a caller meets something else', () => {
    fc.assert(
      fc.property(
        cases,
        fc.record({
          to: fc.constantFrom('schedule', 'open', 'closed'),
          minutes: fc.option(fc.integer({ min: -100, max: 2000 })),
        }),
        ({ hours, at }, { to, minutes }) => {
          const until =
            minutes === null || to === 'schedule' ? null : new Date(at + minutes * minuteMs).toISOString();
          const by: ScheduleSwitch = { to, until };
          const byHand = (instant: number) =>
            to !== 'schedule' && (until === null || instant < Date.parse(until));
          const stateAt = (instant: number) => (byHand(instant) ? to : oracleAt(hours, instant));
          const now = stateAt(at);
          let expected: number | null = null;
          const days = 5;
          for (let minute = 1; minute <= days * 1440 && expected === null; minute += 1)
            if (stateAt(at + minute * minuteMs) !== now) expected = at + minute * minuteMs;
          const found = nextChange(hours, by, at);
          if (expected === null) expect(found === null || found.at > at + days * 1440 * minuteMs).toBe(true);
          else expect(found).toEqual({ at: expected, to: stateAt(expected) });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds a yearly exception of next year, and nothing where nothing changes', () => {
    const always = [{ from: '00:00', to: '24:00' }];
    const open = hoursOf({
      mon: always,
      tue: always,
      wed: always,
      thu: always,
      fri: always,
      sat: always,
      sun: always,
    });
    const at = Date.parse('2026-12-26T12:00Z');
    expect(nextChange(open, scheduled, at)).toBeNull();
    expect(nextChange(hoursOf({}), scheduled, at)).toBeNull();
    const christmas = { ...open, exceptions: [{ date: '12-25', name: 'Christmas', ranges: [] }] };
    expect(nextChange(christmas, scheduled, at)).toEqual({
      at: Date.parse('2027-12-25T00:00+01:00'),
      to: 'holiday',
    });
    expect(nextChange(open, { to: 'closed', until: null }, at)).toBeNull();
  });

  it('looks through the hours after a switch that says the same as they do', () => {
    const office = hoursOf({ mon: [{ from: '08:00', to: '17:00' }] });
    const by: ScheduleSwitch = { to: 'open', until: '2026-11-30T15:00:00.000Z' };
    expect(nextChange(office, by, Date.parse('2026-11-29T12:00Z'))).toEqual({
      at: Date.parse('2026-11-30T16:00:00.000Z'),
      to: 'closed',
    });
  });
});

describe('daysFrom', () => {
  it('joins what touches, takes over what passes midnight, and names the exception that applies', () => {
    const hours = hoursOf({
      sat: [
        { from: '22:00', to: '02:00' },
        { from: '08:00', to: '12:00' },
        { from: '12:00', to: '13:00' },
      ],
      sun: [{ from: '02:00', to: '03:00' }],
      exceptions: [{ date: '2026-11-30', name: 'Stocktaking', ranges: [] }],
    });
    const days = daysFrom(hours, Date.parse('2026-11-27T23:30Z'), 3);
    expect(
      days.map(({ date, weekday, open, exception }) => [
        date,
        weekday,
        open.map(({ from, to }) => `${from}-${to}`),
        exception?.name,
      ]),
    ).toEqual([
      ['2026-11-28', 'sat', ['08:00-13:00', '22:00-24:00'], undefined],
      ['2026-11-29', 'sun', ['00:00-03:00'], undefined],
      ['2026-11-30', 'mon', [], 'Stocktaking'],
    ]);
  });
});
