import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let now = Date.now();

/**
 * The present instant in milliseconds, anew at each full minute; one timer for all that show it, and none while nobody does.
 */
export function useMinute(): number {
  return useSyncExternalStore(follow, () => now);
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    awaitMinute();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function awaitMinute(): void {
  timer = setTimeout(
    () => {
      now = Date.now();
      for (const listener of listeners) listener();
      awaitMinute();
    },
    minuteMs - (Date.now() % minuteMs),
  );
}
