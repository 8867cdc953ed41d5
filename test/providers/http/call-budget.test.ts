import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallBudget } from '../../../src/providers/http/call-budget.ts';
import { complaintIn } from '../../../src/providers/http/read-reply.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Makes as many calls as it may until an instant; answers when each began. `reply`: whether the service complains. */
function callUntil(
  budget: CallBudget,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  reply: (nowMs: number) => number | 'ok' = () => 'ok',
): number[] {
  const calls: number[] = [];
  for (let nowMs = fromMs; nowMs < untilMs;) {
    const startMs = budget.hold(nowMs)?.untilMs ?? budget.nextCallMs(nowMs);
    if (startMs > nowMs) {
      nowMs = startMs;
      continue;
    }
    budget.take(nowMs);
    calls.push(nowMs);
    const waitMs = reply(nowMs);
    if (waitMs === 'ok') budget.answered(nowMs, nowMs);
    else budget.complained(nowMs, nowMs, waitMs);
  }
  return calls;
}

describe('the calls to a service whose limit is not known', () => {
  it('are few at first, and more while it does not complain', () => {
    const calls = callUntil(new CallBudget(null, 0), { fromMs: 0, untilMs: 10 * minuteMs });
    const within = (fromMs: number) => calls.filter((at) => at >= fromMs && at < fromMs + secondMs).length;
    expect(within(0)).toBeLessThanOrEqual(14);
    expect(within(2 * secondMs)).toBeLessThanOrEqual(5);
    expect(within(minuteMs)).toBeGreaterThanOrEqual(15);
    expect(within(9 * minuteMs)).toBeLessThanOrEqual(16);
  });

  it('end while it asks to wait, and go on more slowly than it complained of', () => {
    const budget = new CallBudget(null, 0);
    let complained = 0;
    const calls = callUntil(budget, { fromMs: 0, untilMs: 2 * minuteMs }, (nowMs) =>
      nowMs >= 10 * secondMs && complained++ === 0 ? 30 * secondMs : 'ok',
    );
    const breachMs = calls.find((at) => at >= 10 * secondMs) ?? 0;
    expect(calls.filter((at) => at > breachMs && at < breachMs + 30 * secondMs)).toEqual([]);
    expect(calls.find((at) => at > breachMs)).toBeLessThan(breachMs + 31 * secondMs);
    const within = (fromMs: number) =>
      calls.filter((at) => at >= fromMs && at < fromMs + 9 * secondMs).length;
    // From its second half on the first minute was at the rate that was complained of.
    expect(within(breachMs + 60 * secondMs)).toBeLessThanOrEqual(0.8 * 9 * 9);
  });

  it('meet any limit a few times only, before the rate fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.integer({ min: 1, max: 60 }), (most, seconds) => {
        const accepted: number[] = [];
        let breaches = 0;
        callUntil(new CallBudget(null, 0), { fromMs: 0, untilMs: 30 * minuteMs }, (nowMs) => {
          while ((accepted[0] ?? nowMs) <= nowMs - seconds * secondMs) accepted.shift();
          const [oldest] = accepted;
          if (oldest !== undefined && accepted.length >= most) {
            breaches += 1;
            return oldest + seconds * secondMs - nowMs;
          }
          accepted.push(nowMs);
          return 'ok';
        });
        expect(breaches).toBeLessThanOrEqual(30);
      }),
      { numRuns: 50 },
    );
  });

  it('wait a minute where it does not say how long, and twice as long each time, a quarter of an hour at most', () => {
    const budget = new CallBudget(null, 0);
    let nowMs = 0;
    const waits = Array.from({ length: 6 }, () => {
      budget.complained(nowMs, nowMs, null);
      const untilMs = budget.hold(nowMs)?.untilMs ?? nowMs;
      const waitMs = untilMs - nowMs;
      nowMs = untilMs;
      return waitMs / minuteMs;
    });
    expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
    budget.answered(nowMs, nowMs);
    budget.complained(nowMs, nowMs, null);
    expect(budget.hold(nowMs)?.untilMs).toBe(nowMs + minuteMs);
  });
});

describe('a service that asks to wait', () => {
  it('is left alone for a day at most', () => {
    const budget = new CallBudget(null, 0);
    budget.complained(0, 0, 400 * hourMs);
    expect(budget.hold(1)).toEqual({ fromMs: 0, untilMs: 24 * hourMs, askedUntilMs: 400 * hourMs });
  });

  it('is not slowed down once more by answers to calls that were sent before', () => {
    const one = new CallBudget(null, 0);
    const many = new CallBudget(null, 0);
    for (const budget of [one, many]) budget.complained(5, 10, secondMs);
    for (let nth = 0; nth < 7; nth += 1) many.complained(6, 12, secondMs);
    const span = { fromMs: 2 * secondMs, untilMs: minuteMs };
    expect(callUntil(many, span).length).toBe(callUntil(one, span).length);
  });

  it('waits as long as it was told when the clock is set back', () => {
    const budget = new CallBudget(null, hourMs);
    budget.complained(hourMs, hourMs, minuteMs);
    expect(budget.hold(0)).toEqual({ fromMs: 0, untilMs: minuteMs, askedUntilMs: minuteMs });
    expect(budget.hold(minuteMs)).toBeNull();
  });
});

it('a documented limit is never met: half of it is used', () => {
  const budget = new CallBudget({ calls: 180, perSeconds: 60 }, 0);
  const calls = callUntil(budget, { fromMs: 0, untilMs: 10 * minuteMs });
  const most = Math.max(
    ...calls.map((from) => calls.filter((at) => at >= from && at < from + minuteMs).length),
  );
  expect(most).toBeLessThanOrEqual(100);
  expect(most).toBeGreaterThan(85);
});

describe('an answer', () => {
  const nowMs = Date.parse('2026-01-10T12:00:00Z');
  it.each([
    [429, {}, { waitMs: null }],
    [429, { 'retry-after': '30' }, { waitMs: 30_000 }],
    [429, { 'retry-after': '0.493' }, { waitMs: 493 }],
    [429, { 'retry-after': '292.052427053' }, { waitMs: 292_053 }],
    [429, { 'retry-after': '2814, 2' }, { waitMs: 2_814_000 }],
    [429, { 'retry-after': 'Sun, 11 Jan 2026 12:00:00 GMT' }, { waitMs: 86_400_000 }],
    [429, { 'retry-after': '-5' }, { waitMs: null }],
    [429, { 'retry-after': 'soon' }, { waitMs: null }],
    [429, { 'retry-after': '' }, { waitMs: null }],
    [503, { 'retry-after': '30' }, null],
    [503, {}, null],
    [403, {}, null],
    [403, { 'retry-after': '60' }, { waitMs: 60_000 }],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1768046460' }, { waitMs: 60_000 }],
    [403, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '1768046460' }, null],
    [200, { 'retry-after': '30' }, null],
    [500, { 'retry-after': '30' }, null],
  ])('%i with %j complains of too many calls: %j', (status, headers, complaint) => {
    expect(complaintIn(status, headers, nowMs)).toEqual(complaint);
  });
});
