/** Time, as the phone needs it: a clock and alarms. A test moves both by hand. */
export interface PlayTimer {
  /** In milliseconds, from anywhere; it never goes back. */
  readonly clock: () => number;
  /** Calls `act` once, after `ms` at the earliest. Returns how to call it off. */
  start(ms: number, act: () => void): () => void;
}

export const browserTimer: PlayTimer = {
  clock: () => performance.now(),
  start(ms, act) {
    const timeout = setTimeout(act, ms);
    return () => clearTimeout(timeout);
  },
};
