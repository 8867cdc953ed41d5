import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quietUntil } from '../../../src/main/notices/decide-notices.ts';
import { zoneOf } from '../../core/rotation/lifetimes.ts';
import { dayMs, minuteMs } from './notice-input.ts';

const berlin = zoneOf('Europe/Berlin');
const night = { from: '22:00', to: '07:00' };

describe('quiet hours', () => {
  const cases: [string, { from: string; to: string } | null, string, string | null][] = [
    ['are never where none are set', null, '2026-03-10T03:00:00Z', null],
    ['reach over midnight: before it', night, '2026-03-10T21:30:00Z', '2026-03-11T06:00:00.000Z'],
    ['reach over midnight: after it', night, '2026-03-11T05:59:59.999Z', '2026-03-11T06:00:00.000Z'],
    ['are over at the minute they end', night, '2026-03-11T06:00:00Z', null],
    ['begin at the minute they begin', night, '2026-03-10T21:00:00Z', '2026-03-11T06:00:00.000Z'],
    ['have not begun a moment before', night, '2026-03-10T20:59:59.999Z', null],
    [
      'may lie within a day',
      { from: '12:00', to: '13:30' },
      '2026-03-10T11:15:00Z',
      '2026-03-10T12:30:00.000Z',
    ],
    ['follow the clock into summer time', night, '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['follow the clock out of summer time', night, '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
    [
      'end with the hour that is skipped',
      { from: '01:00', to: '02:30' },
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'come twice with an hour that does',
      { from: '02:00', to: '02:30' },
      '2026-10-25T01:10:00Z',
      '2026-10-25T01:30:00.000Z',
    ],
  ];
  it.each(cases)('%s', (_, hours, at, end) => {
    const endMs = quietUntil(hours, Date.parse(at), berlin);
    expect(endMs === null ? null : new Date(endMs).toISOString()).toBe(end);
  });

  it('are the whole day, for ever, when start and end are the same time', () => {
    expect(quietUntil({ from: '08:00', to: '08:00' }, 0, berlin)).toBe(Infinity);
  });

  const clock = fc
    .integer({ min: 0, max: 24 * 60 - 1 })
    .map(
      (minute) =>
        `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
    );

  it('are quiet up to their end, and not at it', () => {
    fc.assert(
      fc.property(
        clock,
        clock,
        fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') }),
        (from, to, atMs) => {
          const endMs = quietUntil({ from, to }, atMs, berlin);
          if (from === to || endMs === null) return;
          expect(quietUntil({ from, to }, endMs, berlin)).toBeNull();
          expect(quietUntil({ from, to }, Math.max(atMs, endMs - 1), berlin)).toBe(endMs);
          expect(endMs - atMs).toBeLessThanOrEqual(2 * dayMs);
          expect(endMs % minuteMs).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });
});
