import TinyQueue from 'tinyqueue';
import { type Chance, chanceOf } from '../../chaos/chance.ts';

/** What a process of the simulation can suffer. */
export interface Process {
  isAlive: boolean;
  /** It does nothing until then. */
  pausedUntilMs: number;
}

interface Step {
  readonly atMs: number;
  readonly order: number;
  /** In which process it happens; null: outside of all. */
  readonly process: Process | null;
  readonly act: () => void;
  isCancelled: boolean;
}

const realSetImmediate = setImmediate;
/** So often Node says which promises were rejected that nobody handles: it does so between phases of its event loop only. */
const stepsOfPhase = 64;

/**
 * Time, order and chance of a simulation: the same seed, the same run.
 *
 * One step at a time; what it causes without waiting is over before the next. Time passes between steps only. Code under test uses
 * `setImmediate` of the system, so that belongs to the process whose step called it.
 */
export class World {
  readonly chance: Chance;
  nowMs = 0;
  steps = 0;
  /** Changes with everything that happens, so that two runs can be compared. */
  trace = 0;
  readonly #queue = new TinyQueue<Step>([], (a, b) => a.atMs - b.atMs || a.order - b.order);
  #order = 0;
  #current: Process | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(seed: number) {
    this.chance = chanceOf(seed);
  }

  /** Whether something happens that happens in this share of cases. */
  happens(share: number): boolean {
    return share > 0 && this.chance.next() < share;
  }

  /** Returns a function that cancels it. */
  after(ms: number, process: Process | null, act: () => void): () => void {
    this.#order += 1;
    const step = { atMs: this.nowMs + ms, order: this.#order, process, act, isCancelled: false };
    this.#queue.push(step);
    return () => {
      step.isCancelled = true;
    };
  }

  /** Ends the run: an invariant is broken. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Lets time pass until an instant, or until `isDone`. */
  async runUntil(untilMs: number, isDone: () => boolean = () => false): Promise<void> {
    globalThis.setImmediate = ((act: () => void) => {
      this.after(0, this.#current, act);
    }) as typeof setImmediate;
    const onRejection = (error: unknown) => {
      this.fail(error);
    };
    process.on('unhandledRejection', onRejection);
    try {
      await this.#run(untilMs, isDone);
      await phaseOfEventLoop();
      this.#throwFailure();
    } finally {
      globalThis.setImmediate = realSetImmediate;
      process.off('unhandledRejection', onRejection);
    }
  }

  async #run(untilMs: number, isDone: () => boolean): Promise<void> {
    for (let step = this.#queue.peek(); step !== undefined; step = this.#queue.peek()) {
      if (step.atMs > untilMs || isDone()) return;
      this.#queue.pop();
      this.nowMs = step.atMs;
      if (step.isCancelled || step.process?.isAlive === false) continue;
      if (step.process !== null && step.process.pausedUntilMs > this.nowMs) {
        this.after(step.process.pausedUntilMs - this.nowMs, step.process, () => {
          if (!step.isCancelled) step.act();
        });
        continue;
      }
      this.#current = step.process;
      this.steps += 1;
      step.act();
      await (this.steps % stepsOfPhase === 0 ? phaseOfEventLoop() : consequences());
      this.#current = null;
      this.trace = (Math.imul(this.trace, 31) + step.order + Math.round(step.atMs * 1000)) | 0;
      this.#throwFailure();
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

/** Until a step has nothing left to do: a tick comes when no promise has, at a tenth of the cost of a phase. */
function consequences(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

function phaseOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    realSetImmediate(resolve);
  });
}

/** A broken promise of the program to those who use it. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Violation';
  }
}
