import { expect, test } from 'vitest';
import { offersOf } from '../../../../src/renderer/ivr/designer/play/call-time.tsx';
import { hoursOf } from '../../../fixtures/schedules.ts';

const day = [{ from: '08:00', to: '17:00' }];
const office = hoursOf({
  mon: day,
  tue: day,
  exceptions: [
    { date: '2026-12-07', name: 'Outing', ranges: [] },
    { date: '12-25', name: 'Christmas', ranges: [] },
    { date: '2026-01-06', name: 'Over', ranges: [] },
  ],
});
/** A Tuesday, 10:00 in Berlin. */
const nowMs = Date.parse('2026-12-01T09:00:00Z');

test('offers now, the next times at which the hours change, and the exceptions to come', () => {
  const offered = offersOf([office], nowMs).map(({ value, name }) => `${value} ${name}`);
  expect(offered).toEqual([
    'Now Now',
    '2026-12-01 17:00 Closes',
    '2026-12-07 10:00 Outing',
    '2026-12-08 08:00 Opens', // not on the 7th, which begins as a holiday
    '2026-12-25 10:00 Christmas',
  ]);
});

test('with several schedules each is named, and times are those of the first', () => {
  const support = {
    ...office,
    id: 'hours_2' as typeof office.id,
    name: 'Support',
    time_zone: 'America/New_York',
  };
  const offered = offersOf([office, support], nowMs).map(({ value, name }) => `${value} ${name}`);
  expect(offered).toContain('2026-12-01 23:00 Support closes');
  expect(offered).toContain('2026-12-25 16:00 Christmas (Support)');
});

test('what never opens has nothing to offer but now', () => {
  expect(offersOf([hoursOf({})], nowMs).map(({ value }) => value)).toEqual(['Now']);
});
