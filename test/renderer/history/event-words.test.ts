import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/contract/audit-event.ts';
import { aboutWords, eventWords } from '../../../src/renderer/history/event-words.ts';
import { delivered } from '../../fixtures/credential-events.ts';

/** The detail of a delivery that was written down with these data. */
function detailOf(data: HistoryEvent['data']): string | undefined {
  return eventWords({ ...delivered('app'), seq: 1, at: '2026-01-10T12:00:00.000Z', data }).detail;
}

describe('what an event is about', () => {
  it.each([
    ['billing', 'tok_a_1 · Holiday', 'billing · tok_a_1 · Holiday'],
    ['billing', 'billing · 7 days', 'billing · 7 days'],
    ['billing', undefined, 'billing'],
    [undefined, 'Holiday', 'Holiday'],
    [undefined, undefined, undefined],
  ])('named %j with %j is %j', (name, detail, expected) => {
    expect(aboutWords(name, detail)).toBe(expected);
  });
});

describe('a delivery in words', () => {
  it('tells which value it was, and what the hook said', () => {
    expect(detailOf(delivered('app', 3, 'x', 'reloaded').data)).toBe('value 3 · reloaded');
  });

  it('tells nothing more where nothing was said, or where an older service kept no notes', () => {
    expect(detailOf(delivered('app', 3).data)).toBe('value 3');
    expect(detailOf({ generation: 3 })).toBe('value 3');
  });
});
