import { describe, expect, it } from 'vitest';
import { readExpiry } from '../../../src/providers/http/read-expiry.ts';
import { noon } from '../../fixtures/make-events.ts';

const hourMs = 3_600_000;
const at = (said: unknown, more = {}) => readExpiry(said, { nowMs: noon, ...more });

/** `noon` is 2026-01-10T12:00:00Z. */
describe('when a service says that a token expires', () => {
  it.each<[unknown, string]>([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00.123456789Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00Z'],
    ['2026-03-01T10:00:00+0200', '2026-03-01T08:00:00Z'],
    ['2026-03-01T10:00:00+02', '2026-03-01T08:00:00Z'],
    ['2026-03-01 10:00:00 UTC', '2026-03-01T10:00:00Z'],
    ['2026-03-01 10:00:00 -0500', '2026-03-01T15:00:00Z'],
    ['2026-03-01 10:00:00 +0000 UTC', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00Z', '2026-03-01T10:00:00Z'],
    ['Sun, 01 Mar 2026 10:00:00 GMT', '2026-03-01T10:00:00Z'],
    [1772359200, '2026-03-01T10:00:00Z'],
    ['1772359200', '2026-03-01T10:00:00Z'],
    [1772359200.5, '2026-03-01T10:00:00.500Z'],
    [1772359200000, '2026-03-01T10:00:00Z'],
    ['1772359200000', '2026-03-01T10:00:00Z'],
    [1772359200000000, '2026-03-01T10:00:00Z'],
    // Where a text leaves it open, the earliest instant: in the zone that is furthest ahead.
    ['2026-03-01', '2026-02-28T10:00:00Z'],
    ['2026/3/1', '2026-02-28T10:00:00Z'],
    [20260301, '2026-02-28T10:00:00Z'],
    ['2026-03-01T10:00:00', '2026-02-28T20:00:00Z'],
    ['2026-03-01 10:00', '2026-02-28T20:00:00Z'],
    ['Mar 1, 2026', '2026-02-28T10:00:00Z'],
  ])('reads %j as %s', (said, instant) => {
    expect(at(said)).toEqual({ kind: 'at', atMs: Date.parse(instant) });
  });

  it.each([
    null,
    false,
    0,
    -1,
    'never',
    'Never',
    'none',
    'unlimited',
    '9999-12-31',
    '9999-12-31T23:59:59Z',
    '2999-12-31T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    253402300799,
  ])('reads %j as never', (said) => {
    expect(at(said).kind).toBe('never');
  });

  it('believes nothing later than ten years', () => {
    expect(at('2036-01-08T12:00:00Z')).toEqual({ kind: 'at', atMs: Date.parse('2036-01-08T12:00:00Z') });
    expect(at('2036-01-09T12:00:00Z')).toEqual({ kind: 'too_far', said: '2036-01-09T12:00:00Z' });
  });

  it.each(['soon', '2026-02-30', '31/12/2026', 'in 30 days', 3600, { at: 1 }, true])(
    'cannot read %j',
    (said) => {
      expect(at(said).kind).toBe('unreadable');
    },
  );

  it.each([undefined, ''])('is not told by %j', (said) => {
    expect(at(said)).toEqual({ kind: 'not_said' });
  });

  it('counts by our clock', () => {
    expect(at('2026-03-01T10:00:00Z', { skewMs: hourMs })).toEqual({
      kind: 'at',
      atMs: Date.parse('2026-03-01T09:00:00Z'),
    });
  });

  it('reads an open text as the first instant ahead where the earliest has passed: the token still works', () => {
    expect(at('2026-01-10')).toEqual({ kind: 'at', atMs: noon + hourMs });
    expect(at('2026-01-10T13:30:00')).toEqual({ kind: 'at', atMs: noon + hourMs / 2 });
    expect(at('2026-01-10T11:00:00Z')).toEqual({ kind: 'at', atMs: noon - hourMs });
  });
});
