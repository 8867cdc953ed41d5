/** The port to time passing: real in the program, moved by hand in tests. */
export interface Timer {
  /** Calls `act` once, after `ms` at the earliest. Returns how to call it off. */
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
