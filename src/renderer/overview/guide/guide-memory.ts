import { useSyncExternalStore } from 'react';

/**
 * Where a person stands with the first steps, in this browser.
 *
 * `unseen`: they were never of use here. `open`: shown until the last is done. `put-away`: put out of sight, not lost.
 */
export type GuideState = 'unseen' | 'open' | 'put-away' | 'done';

const key = 'rotavox:first-steps';
const changed = 'rotavox:first-steps-changed';
const states: readonly GuideState[] = ['open', 'put-away', 'done'];

export function useGuideState(): GuideState {
  return useSyncExternalStore(follow, readGuideState);
}

function readGuideState(): GuideState {
  const kept = localStorage.getItem(key);
  return states.find((state) => state === kept) ?? 'unseen';
}

export function setGuideState(state: Exclude<GuideState, 'unseen'>): void {
  localStorage.setItem(key, state);
  dispatchEvent(new Event(changed));
}

/** Shows the first steps again, on the overview. */
export function showFirstSteps(): void {
  setGuideState('open');
}

function follow(listener: () => void): () => void {
  addEventListener(changed, listener);
  addEventListener('storage', listener); // another window of the same browser
  return () => {
    removeEventListener(changed, listener);
    removeEventListener('storage', listener);
  };
}
