/**
 * Loaded into the app before its own code: time that a journey moves by hand, as `manualClock`.
 *
 * What waits for 5 s or longer waits until `advanceTo` lets so much time pass since the start. `jumpTo` is a sleep: the
 * clock is ahead of the machine's by so much, and no timer notices. Both may be asked twice for the same. `isRepeated` says
 * whether something is done every so often.
 */
const longMs = 5_000;
const { setTimeout: start, setInterval: repeat, clearTimeout: stop } = globalThis;
const realNow = Date.now;
const waiting = new Map();
let jumpedMs = 0;
let elapsedMs = 0;

Date.now = () => realNow() + jumpedMs + elapsedMs;

/** As Node's own: it may be told whether it keeps the process. */
function wait(act, ms, everyMs) {
  const timer = start(() => undefined, 0);
  waiting.set(timer, { atMs: elapsedMs + ms, act, everyMs });
  return timer;
}

globalThis.setTimeout = Object.assign(
  (act, ms = 0, ...given) => (ms < longMs ? start(act, ms, ...given) : wait(() => act(...given), ms, null)),
  start,
);
globalThis.setInterval = (act, ms = 0, ...given) =>
  ms < longMs ? repeat(act, ms, ...given) : wait(() => act(...given), ms, ms);
globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
  waiting.delete(timer);
  stop(timer);
};

globalThis.manualClock = {
  isRepeated(ms) {
    return [...waiting.values()].some(({ everyMs }) => everyMs === ms);
  },
  jumpTo(ms) {
    jumpedMs = ms;
  },
  advanceTo(ms) {
    for (;;) {
      const [next] = [...waiting]
        .filter(([, { atMs }]) => atMs <= ms)
        .sort(([, a], [, b]) => a.atMs - b.atMs);
      if (next === undefined) break;
      const [timer, { atMs, act, everyMs }] = next;
      elapsedMs = Math.max(elapsedMs, atMs);
      if (everyMs === null) waiting.delete(timer);
      else waiting.set(timer, { atMs: atMs + everyMs, act, everyMs });
      act();
    }
    elapsedMs = Math.max(elapsedMs, ms);
  },
};
