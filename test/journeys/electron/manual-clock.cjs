/**
 * Loaded into the app before its own code: a clock that a journey controls, as `manualClock`.
 *
 * Timers of 5 s or longer fire only when `advanceTo` lets that much time pass since the start. `jumpTo` is a sleep: the
 * clock is ahead of the machine's by that much, and no timer notices. Both may be called twice with the same value. `read`
 * tells what they were last called with. From `hold` on the clock stands still but for them.
 * `isRepeated` tells whether a timer repeats at an interval. Timers of exactly `MANUAL_CLOCK_SHORTENED_MS` fire almost at once.
 */
const { syncBuiltinESMExports } = require('node:module');
const promises = require('node:timers/promises');

const longMs = 5_000;
const shortenedMs = Number(process.env.MANUAL_CLOCK_SHORTENED_MS);
const { setTimeout: start, setInterval: repeat, clearTimeout: stop } = globalThis;
const realNow = Date.now;
const waiting = new Map();
let jumpedMs = 0;
let elapsedMs = 0;
let heldMs = null;

Date.now = () => (heldMs ?? realNow()) + jumpedMs + elapsedMs;

/** Like Node's timers, it has `ref` and `unref`. */
function wait(act, ms, everyMs) {
  const timer = start(() => undefined, 0);
  waiting.set(timer, { atMs: elapsedMs + ms, act, everyMs });
  return timer;
}

globalThis.setTimeout = Object.assign((act, ms = 0, ...given) => {
  if (ms >= longMs) return wait(() => act(...given), ms, null);
  return start(act, ms === shortenedMs ? 50 : ms, ...given);
}, start);
globalThis.setInterval = (act, ms = 0, ...given) =>
  ms < longMs ? repeat(act, ms, ...given) : wait(() => act(...given), ms, ms);
globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
  waiting.delete(timer);
  stop(timer);
};

const delay = promises.setTimeout;
promises.setTimeout = (ms = 0, value = undefined, options = {}) =>
  ms < longMs ? delay(ms, value, options) : new Promise((resolve) => wait(() => resolve(value), ms, null));
syncBuiltinESMExports();

globalThis.manualClock = {
  read() {
    return { jumpedMs, elapsedMs };
  },
  isRepeated(ms) {
    return [...waiting.values()].some(({ everyMs }) => everyMs === ms);
  },
  hold() {
    heldMs ??= realNow();
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
