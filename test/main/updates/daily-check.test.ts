import { beforeEach, describe, expect, it } from 'vitest';
import { DailyCheck } from '../../../src/main/updates/run-updates.ts';
import { ManualTimer } from '../../fakes/manual-timer.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('the daily check', () => {
  let time: ManualTimer;
  let checks: number[];
  let daily: DailyCheck;
  beforeEach(() => {
    time = new ManualTimer(Date.parse('2026-01-01T12:00:00Z'));
    checks = [];
    daily = new DailyCheck({
      clock: time.clock,
      startTimer: (ms, act) => time.start(ms, act),
      check: () => checks.push(time.nowMs),
    });
  });

  it('happens minutes after the start, then once a day', async () => {
    const startMs = time.nowMs;
    daily.start();
    await time.advance(4 * minuteMs);
    expect(checks).toEqual([]);
    await time.advance(2 * minuteMs);
    expect(checks).toEqual([startMs + 5 * minuteMs]);
    await time.advance(3 * dayMs - hourMs);
    expect(checks).toHaveLength(3);
    expect(checks[2]! - checks[1]!).toBe(dayMs);
  });

  it('happens an hour after a check that failed', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    daily.settled(false);
    await time.advance(hourMs);
    expect(checks).toHaveLength(2);
  });

  it('happens a day after a check that a person asked for', async () => {
    daily.start();
    await time.advance(2 * minuteMs);
    daily.settled(true);
    await time.advance(dayMs - minuteMs);
    expect(checks).toEqual([]);
    await time.advance(minuteMs);
    expect(checks).toHaveLength(1);
  });

  it('happens at the wake-up of a machine that slept past it', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    time.jump(2 * dayMs);
    daily.wake();
    expect(checks).toHaveLength(2);
    daily.wake();
    expect(checks).toHaveLength(2);
  });

  it('happens within the hour after an unreported sleep', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    time.jump(2 * dayMs);
    await time.advance(hourMs);
    expect(checks).toHaveLength(2);
  });

  it('happens within a day after the clock was set back by years', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    time.jump(-3650 * dayMs);
    await time.advance(dayMs + hourMs);
    expect(checks).toHaveLength(2);
  });

  it('has one timer while it runs, none when it is stopped, and one check an hour', async () => {
    daily.start();
    daily.start();
    daily.wake();
    expect(time.waiting).toBe(1);
    await time.advance(5 * minuteMs);
    time.wakeUps = 0;
    await time.advance(12 * hourMs);
    expect(time.wakeUps).toBe(12);
    daily.stop();
    daily.wake();
    daily.settled(true);
    expect(time.waiting).toBe(0);
  });
});
