import { expect, it } from 'vitest';
import { type OtherInstance, quitLimitMs, quitOther } from '../../src/main/quit-other.ts';

/** Another instance that is gone after so many requests; how often it was asked, and how long was waited. */
function instanceThatNeeds(requests: number, isRunning = true) {
  const seen = { asked: 0, waitedMs: 0 };
  const other: OtherInstance = {
    takeLock: () => (seen.asked += 1) > requests,
    isRunning: () => isRunning,
    sleep: (ms) => void (seen.waitedMs += ms),
  };
  return { seen, other };
}

it('ends at once where no other instance runs', () => {
  const { seen, other } = instanceThatNeeds(0);
  expect(quitOther(other)).toBe('not_running');
  expect(seen).toEqual({ asked: 1, waitedMs: 0 });
});

it('takes a folder that cannot be locked for one that nobody uses', () => {
  expect(quitOther(instanceThatNeeds(Infinity, false).other)).toBe('not_running');
});

it('waits until the other one is gone', () => {
  const { seen, other } = instanceThatNeeds(5);
  expect(quitOther(other)).toBe('ended');
  expect(seen.asked).toBe(6);
});

it('says so when it does not end', () => {
  const { seen, other } = instanceThatNeeds(Infinity);
  expect(quitOther(other)).toBe('still_running');
  expect(seen.waitedMs).toBe(quitLimitMs);
});
