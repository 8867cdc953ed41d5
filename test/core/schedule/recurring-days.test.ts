import fc from 'fast-check';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { type RecurrenceRule, recurringDays } from '../../../src/core/schedule/recurring-days.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const bounds = () => ({
  from: day('2020-01-01'),
  last: day('2031-12-31'),
  most: 10_000,
  budget: { years: 1000 },
});

/** Rules from which the iterator of ical.js comes back, and that it reads as they are meant. */
const rules: fc.Arbitrary<RecurrenceRule> = fc
  .record({
    interval: fc.integer({ min: 1, max: 3 }),
    bymonth: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
    days: fc.oneof(
      fc.record({
        bymonthday: fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        byday: fc.uniqueArray(
          fc
            .tuple(
              fc.constantFrom('', '1', '2', '3', '4', '-1'),
              fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'),
            )
            .map((parts) => parts.join('')),
          // It counts a day twice that two parts name, such as TH and 3TH.
          { minLength: 1, maxLength: 2, selector: (part) => part.slice(-2) },
        ),
      }),
    ),
    count: fc.option(fc.integer({ min: 1, max: 40 })),
  })
  .map(({ interval, bymonth, days, count }) => ({
    freq: 'YEARLY',
    interval,
    bymonth,
    ...days,
    ...(count === null ? {} : { count }),
  }));

function byIcal(rule: RecurrenceRule, first: string): string[] {
  const times = ICAL.Recur.fromData(structuredClone(rule) as never).iterator(ICAL.Time.fromDateString(first));
  const found: string[] = [];
  for (let next = times.next() as ICAL.Time | null; next !== null; next = times.next() as ICAL.Time | null) {
    if (next.toString() > '2031-12-31') break;
    found.push(next.toString());
  }
  return [...new Set(found)];
}

it('finds the days that ical.js finds, of rules that it follows', () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: 2012, max: 2022 }), (rule, year) => {
      const { count: _count, ...endless } = rule;
      const whole = { ...bounds(), from: day(`${year}-01-01`) };
      const [first] = recurringDays({ ...endless, interval: 1 }, day(`${year}-01-01`), whole) ?? [];
      if (first === undefined) return;
      const expected = byIcal(rule, first).filter((date) => date >= '2020-01-01');
      expect(recurringDays(rule, day(first), bounds())).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

it.each([
  // In a year, not in a month.
  [{ freq: 'YEARLY', byday: '20MO' }, '2025-05-19', ['2025-05-19', '2026-05-18', '2027-05-17']],
  [{ freq: 'YEARLY', byday: '-1FR' }, '2025-12-26', ['2025-12-26', '2026-12-25', '2027-12-31']],
  [
    { freq: 'YEARLY', bymonth: 2, bymonthday: -1 },
    '2025-02-28',
    ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
  ],
  // Friday the thirteenth.
  [
    { freq: 'YEARLY', bymonthday: 13, byday: 'FR' },
    '2026-01-01',
    ['2026-02-13', '2026-03-13', '2026-11-13', '2027-08-13'],
  ],
  [{ freq: 'YEARLY', until: '2026-07-01T00:00:00Z' }, '2025-07-01', ['2025-07-01', '2026-07-01']],
  [{ freq: 'YEARLY', bymonth: 2, bymonthday: 29 }, '2024-02-29', ['2024-02-29', '2028-02-29']],
  [{ freq: 'DAILY', interval: 300, count: 3 }, '2025-01-01', ['2025-01-01', '2025-10-28', '2026-08-24']],
])('finds the days of %o', (rule, first, expected) => {
  expect(recurringDays(rule, day(first), { ...bounds(), last: day('2028-03-01') })).toEqual(expected);
});

// Reported of others: Kozea/Radicale/issues/2188, py-vobject/vobject/issues/133, meziantou/Meziantou.Framework/pull/2385.
it.each([
  ['too many years to count through', { freq: 'YEARLY', count: 999_999, bymonth: 1 }, '0001-01-01', 0],
  [
    'too many days to count',
    { freq: 'YEARLY', count: 999_999, byday: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] },
    '1990-01-01',
    3,
  ],
  ['too many weekdays', { freq: 'YEARLY', byday: Array(367).fill('1MO') }, '2025-01-06', 0],
  ['too many days of a month', { freq: 'YEARLY', bymonthday: Array(367).fill(1) }, '2025-01-01', 0],
  ['too many months', { freq: 'YEARLY', bymonth: Array(367).fill(1) }, '2025-01-01', 0],
  ['too many positions', { freq: 'YEARLY', byday: 'MO', bysetpos: Array(367).fill(1) }, '2025-01-06', 0],
])('refuses a rule of %s after few years', (_what, rule, first, years) => {
  const { budget, ...others } = bounds();
  expect(recurringDays(rule, day(first), { ...others, budget })).toBeNull();
  expect(1000 - budget.years).toBe(years);
});

it.each(['DAILY', 'YEARLY'])('refuses intervals of %s that no holiday has', (freq) => {
  const daysAt = (interval: unknown) => recurringDays({ freq, interval }, day('2021-01-01'), bounds());
  for (const interval of [-1, 0, 1.5, 10_001, 999_999_999_999, Infinity, NaN, 'often'])
    expect(daysAt(interval), String(interval)).toBeNull();
  expect(daysAt(10_000)).toEqual(['2021-01-01']);
});
