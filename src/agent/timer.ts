/** The port to timers: real in the program, controlled in tests. */
export interface Timer {
  /** Calls `act` once, after `ms` at the earliest. Returns a function that cancels it. */
  start(ms: number, act: () => void): () => void;
}

/** The system's; it does not keep the process alive. */
export const systemTimer: Timer = {
  start(ms, act) {
    const timeout = setTimeout(act, ms);
    timeout.unref();
    return () => {
      clearTimeout(timeout);
    };
  },
};
