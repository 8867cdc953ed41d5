import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import { withoutRepeats } from '../../../src/core/history/repeats.ts';

function event(seq: number, kind: string, subject = 'cred_1', about = ''): HistoryEvent {
  const at = `2026-11-29T10:${String(seq).padStart(2, '0')}:00.000Z`;
  return { seq, at, kind, subject, actor: { kind: 'system' }, about } as unknown as HistoryEvent;
}

const words = (one: HistoryEvent) => (one as unknown as { about: string }).about;
const failed = 'credential.delivery_failed';

it('what failed again and again is one row, with how often and since when; what went well never is', () => {
  const events = [
    event(9, failed),
    event(8, failed),
    event(7, 'credential.rotated'),
    event(6, 'credential.rotated'),
    event(5, failed, 'cred_1', 'the disk is full'),
    event(4, failed, 'cred_2'),
    event(3, failed),
    event(2, failed, 'cred_2'),
    event(1, failed),
  ];
  const rows = withoutRepeats(events, words);
  expect(rows.map(({ event: { seq }, count, since }) => [seq, count, since.slice(14, 16)])).toEqual([
    [9, 2, '08'],
    [7, 1, '07'],
    [6, 1, '06'],
    [5, 1, '05'],
    [4, 2, '02'],
    [3, 2, '01'],
  ]);
  expect(rows.map(({ mayGoOn }) => mayGoOn)).toEqual([false, false, false, false, true, true]);
  expect(withoutRepeats([], words)).toEqual([]);
});
