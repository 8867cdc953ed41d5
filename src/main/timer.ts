/** What waits; the system's own, or a test's. */
export interface Timer {
  /** Calls `act` once, after `ms` at the earliest. Returns how to call it off. */
  start(ms: number, act: () => void): () => void;
}

export const systemTimer: Timer = {
  start(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
