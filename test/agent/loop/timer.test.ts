import { expect, it, onTestFinished, vi } from 'vitest';
import { systemTimer } from '../../../src/agent/loop/timer.ts';

// sentry-electron#441, fluent-logger-forward-node#44, zigbee2mqtt#17659: a wait of more than 2^31-1 ms was over after 1 ms.
it('waits for weeks too, acts once, and can be cancelled on the way', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const dayMs = 86_400_000;
  const [acts, cancelled] = [vi.fn(), vi.fn()];
  systemTimer.start(60 * dayMs, acts);
  const cancel = systemTimer.start(60 * dayMs, cancelled);
  vi.advanceTimersByTime(60 * dayMs - 1);
  expect(acts).not.toHaveBeenCalled();
  cancel();
  vi.advanceTimersByTime(100 * dayMs);
  expect([acts.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0]);
});
