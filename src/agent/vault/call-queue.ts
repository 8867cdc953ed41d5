/** A call did not return within the limit of the queue, or an earlier one still has not. */
export class CallHangs extends Error {
  constructor(limitMs: number) {
    super(`No answer within ${limitMs} ms`);
    this.name = 'CallHangs';
  }
}

/** Makes one call of a job; rejects with `CallHangs` when it takes longer than the queue allows. */
export type LimitedCall = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Runs jobs one after another, for calls that cannot be cancelled and may never return.
 *
 * Invariants: 1. at most one call is pending, so that it blocks at most one thread of libuv's pool; 2. while a call
 * exceeds its limit, every job is refused immediately; 3. the queue continues when that call returns, so its effects
 * come before those of later calls.
 */
export class CallQueue {
  readonly #limitMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #hangs = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  async run<T>(job: (limited: LimitedCall) => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise: left, resolve: leave } = Promise.withResolvers();
    this.#last = left;
    await before;
    try {
      if (this.#hangs) throw new CallHangs(this.#limitMs);
      return await job((call) => this.#limit(call));
    } finally {
      leave(null);
    }
  }

  async #limit<T>(call: () => Promise<T>): Promise<T> {
    const answer = call();
    const back = answer.then(
      () => undefined,
      () => undefined, // reported to the caller below
    );
    letProcessEndBefore(back);
    const { promise: tooLong, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#hangs = true;
      void back.then(() => (this.#hangs = false));
      reject(new CallHangs(this.#limitMs));
    }, this.#limitMs);
    try {
      return await Promise.race([answer, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** At the end of the process, a call that has been pending for this long is not waited for. */
const patienceMs = 1_000;

/**
 * Lets the process end while a call is still pending.
 *
 * At its end Node waits for every thread of libuv's pool, and so does Electron: with an unlock prompt open, quitting
 * would hang until a person answered it. By then everything else is closed, so the process kills itself; its
 * exit code is lost.
 */
function letProcessEndBefore(back: Promise<void>): void {
  const startedMs = performance.now();
  const end = (): void => {
    if (performance.now() - startedMs > patienceMs) process.kill(process.pid, 'SIGKILL');
  };
  process.once('exit', end);
  void back.then(() => process.removeListener('exit', end));
}
