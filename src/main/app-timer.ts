/** Timers of the system, or of a test. */
export interface Timer {
  /** Calls `act` once, after `ms` at the earliest. Returns a function that cancels it. */
  start(ms: number, act: () => void): () => void;
}

export const systemTimer: Timer = {
  start(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
