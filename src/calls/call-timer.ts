/** Calls back after a time. Returns how to cancel it. */
export interface Timer {
  start(ms: number, act: () => void): () => void;
}

/** Where this program was busy, what Asterisk told in that time comes first: a key that was pressed in time is not too late. */
export const systemTimer: Timer = {
  start(ms, act) {
    let last: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      last = setImmediate(act); // after what is there to be read
    }, ms).unref();
    return () => {
      clearTimeout(timer);
      clearImmediate(last);
    };
  },
};
