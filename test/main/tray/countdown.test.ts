import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countdown, countdownLastsMs } from '../../../src/main/tray/credential-item.ts';
import { dayMs, hourMs, minuteMs } from './make-outline.ts';

describe('the countdown', () => {
  const table: [number, string][] = [
    [-dayMs, 'under 1m'],
    [0, 'under 1m'],
    [1, 'under 1m'],
    [minuteMs - 1, 'under 1m'],
    [minuteMs, '1m'],
    [12 * minuteMs + 59_999, '12m'],
    [hourMs - 1, '59m'],
    [hourMs, '1h'],
    [hourMs + minuteMs - 1, '1h'],
    [hourMs + minuteMs, '1h 1m'],
    [3 * hourMs + 12 * minuteMs, '3h 12m'],
    [dayMs - 1, '23h 59m'],
    [dayMs, '1d'],
    [dayMs + hourMs - 1, '1d'],
    [dayMs + hourMs, '1d 1h'],
    [2 * dayMs + 4 * hourMs + 59 * minuteMs, '2d 4h'],
    [90 * dayMs, '90d'],
  ];
  it.each(table)('with %i ms left says %s', (leftMs, text) => {
    expect(countdown(leftMs)).toBe(text);
  });

  it('never says more than is left, nor an hour less than that', () => {
    fc.assert(
      fc.property(anyLeft, (leftMs) => {
        const saidMs = readCountdown(countdown(leftMs));
        expect(saidMs).toBeLessThanOrEqual(leftMs);
        expect(leftMs - saidMs).toBeLessThan(leftMs >= dayMs ? hourMs : minuteMs);
      }),
    );
  });
});

describe('how long the countdown stays as it is', () => {
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
    expect(countdownLastsMs(leftMs)).toBe(Infinity);
  });
});

/** From one millisecond to beyond the longest token, as often below an hour as above a day. */
const anyLeft = fc.oneof(
  fc.integer({ min: 1, max: hourMs }),
  fc.integer({ min: 1, max: 2 * dayMs }),
  fc.integer({ min: 1, max: 100 * dayMs }),
);

/** The last of it ends in expiry, which is not the countdown's to say. */
function textAt(leftMs: number): string {
  return leftMs > 0 ? countdown(leftMs) : 'expired';
}

function expectToHoldUntil(leftMs: number): void {
  const lastsMs = countdownLastsMs(leftMs);
  expect(lastsMs).toBeGreaterThan(0);
  expect(textAt(leftMs - lastsMs + 1)).toBe(textAt(leftMs));
  expect(textAt(leftMs - lastsMs)).not.toBe(textAt(leftMs));
}

function readCountdown(text: string): number {
  const units: Record<string, number> = { d: dayMs, h: hourMs, m: minuteMs };
  if (text === 'under 1m') return 0;
  expect(text).toMatch(/^[1-9]\d*[dhm](?: [1-9]\d*[hm])?$/);
  return [...text.matchAll(/(\d+)([dhm])/g)].reduce(
    (sumMs, [, count, unit]) => sumMs + Number(count) * (units[unit ?? ''] ?? NaN),
    0,
  );
}
