import { describe, expect, it } from 'vitest';
import type { HoursNow, HoursReason } from '../../src/contract/menu/schedule.ts';
import {
  hoursText,
  nextHoursText,
  scheduleProblemText,
  zonedText,
} from '../../src/text/menu/schedule-text.ts';

/** Friday 13:00 in Berlin. */
const zone = { timeZone: 'Europe/Berlin', nowMs: Date.parse('2026-11-27T12:00:00Z') };
const evening = '2026-11-27T16:00:00.000Z';
const monday = '2026-11-30T07:00:00.000Z';
const clockIn = (at: string, timeZone = 'Europe/Berlin') =>
  new Date(at).toLocaleTimeString(undefined, { timeZone, hour: '2-digit', minute: '2-digit' });
const weekly = { kind: 'weekly' } as const;
const christmas: HoursReason = {
  kind: 'exception',
  exception: { date: '12-25', name: 'Christmas', ranges: [] },
};

const texts: [HoursNow, string, string | null][] = [
  [
    { state: 'open', reason: weekly, next_change: { at: evening, to: 'closed' }, opens_at: null },
    `Open until ${clockIn(evening)}`,
    `Closes at ${clockIn(evening)}`,
  ],
  [
    { state: 'closed', reason: weekly, next_change: { at: monday, to: 'open' }, opens_at: monday },
    `Closed, opens Mon ${clockIn(monday)}`,
    `Opens Mon ${clockIn(monday)}`,
  ],
  [
    { state: 'holiday', reason: christmas, next_change: { at: evening, to: 'closed' }, opens_at: monday },
    `Closed (Christmas), opens Mon ${clockIn(monday)}`,
    `Opens Mon ${clockIn(monday)}`,
  ],
  [
    { state: 'closed', reason: { kind: 'by_hand', until: evening }, next_change: null, opens_at: monday },
    `Closed by hand until ${clockIn(evening)}`,
    `Opens Mon ${clockIn(monday)}`,
  ],
  [
    { state: 'open', reason: { kind: 'by_hand', until: null }, next_change: null, opens_at: null },
    'Open by hand',
    null,
  ],
  [{ state: 'closed', reason: weekly, next_change: null, opens_at: null }, 'Closed', null],
];

describe('what is said of opening hours', () => {
  it.each(texts)('of %o', (now, said, next) => {
    expect(hoursText(now, zone)).toBe(said);
    expect(nextHoursText(now, zone)).toBe(next);
  });

  it('has times of its own zone, with the day where it is not today', () => {
    expect(zonedText(evening, { ...zone, timeZone: 'America/New_York' })).toBe(
      clockIn(evening, 'America/New_York'),
    );
    expect(zonedText('2026-12-24T11:00:00Z', zone)).toContain('24');
    expect(zonedText('2027-12-24T11:00:00Z', zone)).toContain('2027');
    // A zone that this machine does not know counts as UTC.
    expect(zonedText(evening, { ...zone, timeZone: 'Europe/Atlantis' })).toBe(clockIn(evening, 'UTC'));
    expect(zonedText('soon', zone)).toBe('soon');
  });

  it('names where hours are used, but not all of many places', () => {
    const uses = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ kind: 'draft' as const, id: name, name }));
    expect(scheduleProblemText({ kind: 'used', name: 'Office', uses })).toBe(
      '“Office” is used by the call flow “A”, the call flow “B”, the call flow “C”, 2 more. Choose other opening hours there and publish, or delete it first.',
    );
  });
});
