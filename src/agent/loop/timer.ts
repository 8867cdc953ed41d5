/** The port to timers: real in the program, controlled in tests. */
export interface Timer {
  /** Calls `act` once, after `ms` at the earliest. Returns a function that cancels it. */
  start(ms: number, act: () => void): () => void;
}

/** The system's longest; a longer one would be over at once. */
const longestMs = 2 ** 31 - 1;

/** The system's, and longer ones as several; it does not keep the process alive. */
export const systemTimer: Timer = {
  start(ms, act) {
    let timeout: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const nowMs = Math.min(leftMs, longestMs);
      timeout = setTimeout(() => (leftMs > nowMs ? wait(leftMs - nowMs) : act()), nowMs);
      timeout.unref();
    };
    wait(ms);
    return () => {
      clearTimeout(timeout);
    };
  },
};
