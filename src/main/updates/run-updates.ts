import type { UpdateObstacle, UpdateProblem, UpdateState } from '../../contract/service/update.ts';
import {
  nextUpdateState,
  type OpenUpdateSource,
  UpdateError,
  type UpdateEvent,
  type UpdateSource,
} from './update-state.ts';

export interface UpdateParts {
  /** The feed in the settings; null if updates are off. */
  readonly feed: () => string | null;
  /** How this copy of the program is replaced. Called only if a feed is set. */
  readonly means: () => UpdateMeans;
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** Closes the host before the program ends for the new version. */
  readonly beforeInstall: () => Promise<void>;
  /** Called with every new state, not with the first one. */
  readonly onChange: (state: UpdateState) => void;
}

export type UpdateMeans =
  | { readonly kind: 'source'; readonly open: OpenUpdateSource }
  | { readonly kind: 'obstacle'; readonly why: UpdateObstacle };

/**
 * Finds, downloads and installs new versions of this program, each step after a click.
 *
 * Invariants: 1. without a feed there is no source, no timer and no request; 2. only `download` downloads, and only
 * `install` or a clean quit installs; 3. at most one step runs; 4. when the feed changes, its source is closed and its
 * later results are ignored; 5. no call throws: a failure becomes the state, and the program continues.
 */
export class Updates {
  readonly #parts: UpdateParts;
  readonly #daily: DailyCheck;
  #feed: string | null = null;
  #openSource: (() => UpdateSource) | null = null;
  #source: UpdateSource | null = null;
  #state: UpdateState = { kind: 'off' };

  constructor(parts: UpdateParts) {
    this.#parts = parts;
    this.#daily = new DailyCheck({
      clock: parts.clock,
      startTimer: parts.startTimer,
      check: () => void this.#check(false),
    });
    this.#followFeed();
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** Checks for a newer version because a person asked. */
  async check(): Promise<void> {
    await this.#check(true);
  }

  /** Downloads the version that was found. */
  async download(): Promise<void> {
    if (!this.#apply({ kind: 'download_began' })) return;
    await this.#step(async (source) => {
      await source.download((percent) => {
        if (source === this.#source) this.#apply({ kind: 'progressed', percent });
      });
      return { kind: 'downloaded' };
    });
  }

  /** Installs the version that was downloaded and starts it; this program ends. */
  async install(): Promise<void> {
    if (!this.#apply({ kind: 'install_began' })) return;
    await this.#step(async (source) => {
      await source.installAndRestart(this.#parts.beforeInstall);
      return null;
    });
  }

  /** To be called when the setting may have changed. A new feed starts from the beginning. */
  feedChanged(): void {
    // An installation was confirmed by a click and continues; if it fails, the feed is read again.
    if (this.#state.kind === 'installing' || this.#parts.feed() === this.#feed) return;
    this.#followFeed();
    this.#parts.onChange(this.#state);
  }

  /** To be called after a sleep of the machine: the daily check may be due. */
  wake(): void {
    this.#daily.wake();
  }

  /** Ends the current step. With `install`, at a clean quit, a downloaded version is installed first. */
  async close({ install = false } = {}): Promise<void> {
    if (install && this.#apply({ kind: 'install_began' })) {
      await this.#step(async (source) => {
        await source.install();
        return null;
      });
    }
    this.#daily.stop();
    this.#openSource = null;
    this.#dropSource();
  }

  #followFeed(): void {
    this.#dropSource();
    this.#daily.stop();
    this.#openSource = null;
    const feed = this.#parts.feed();
    this.#feed = feed;
    const means = feed === null ? null : this.#parts.means();
    if (feed !== null && means?.kind === 'source') {
      this.#openSource = () => means.open(feed);
      this.#daily.start();
    }
    this.#state = nextUpdateState(this.#state, {
      kind: 'feed_changed',
      isSet: feed !== null,
      obstacle: means?.kind === 'obstacle' ? means.why : null,
    });
  }

  async #check(asked: boolean): Promise<void> {
    const isUnderWay = this.#state.kind === 'checking';
    if (!this.#apply({ kind: 'check_began', asked }) || isUnderWay) return;
    this.#source ??= this.#openSource?.() ?? null;
    await this.#step(async (source) => {
      const version = await source.check();
      if (version !== null) return { kind: 'newer_found', version };
      return { kind: 'nothing_newer', at: new Date(this.#parts.clock()).toISOString() };
    });
  }

  /** Runs one step with the current source and turns its outcome into a state. */
  async #step(act: (source: UpdateSource) => Promise<UpdateEvent | null>): Promise<void> {
    const source = this.#source;
    if (source === null) return;
    let outcome: UpdateEvent | null;
    try {
      outcome = await act(source);
    } catch (error) {
      outcome = { kind: 'step_failed', problem: problemOf(error) };
    }
    if (source !== this.#source) return;
    const hasFailed = outcome?.kind === 'step_failed';
    if (hasFailed) this.#dropSource();
    this.#daily.settled(!hasFailed);
    if (outcome !== null) this.#apply(outcome);
    if (hasFailed) this.feedChanged();
  }

  /** Returns whether the event applies to the current state. */
  #apply(event: UpdateEvent): boolean {
    const next = nextUpdateState(this.#state, event);
    if (next === this.#state) return false;
    this.#state = next;
    this.#parts.onChange(next);
    return true;
  }

  #dropSource(): void {
    this.#source?.close();
    this.#source = null;
  }
}

/** An unexpected error also becomes a state, so that it does not end the program. */
function problemOf(error: unknown): UpdateProblem {
  if (error instanceof UpdateError) return error.problem;
  const [detail = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return { code: 'unexpected', detail: detail.slice(0, 200) };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Not at the start itself, when the machine and its network are busy. */
const firstCheckAfterMs = 5 * minuteMs;
const retryAfterMs = hourMs;
/** The longest timer: after an unreported sleep, or when the clock was set, the time is checked within an hour. */
const longestTimerMs = hourMs;

/** Calls `act` once, after `ms` at the earliest. Returns a function that cancels it. */
type StartTimer = (ms: number, act: () => void) => () => void;

export interface DailyCheckParts {
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** Starts a check. `settled` is called with its outcome if one was made. */
  readonly check: () => void;
}

/**
 * The automatic check: minutes after the start, then once a day, or an hour after a failure.
 *
 * The due time is compared with the wall clock after short timers and at `wake()`, so that a laptop that sleeps most of the
 * day still checks. There is no timer while it is stopped.
 */
export class DailyCheck {
  readonly #parts: DailyCheckParts;
  #dueMs: number | null = null;
  #cancel: (() => void) | null = null;

  constructor(parts: DailyCheckParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#setDue(firstCheckAfterMs);
  }

  stop(): void {
    this.#dueMs = null;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** A check was made, automatic or not: the next is due a day later, or sooner if this one failed. */
  settled(succeeded: boolean): void {
    if (this.#dueMs !== null) this.#setDue(succeeded ? dayMs : retryAfterMs);
  }

  /** Checks the clock now: after a timer, a sleep of the machine, or when the clock was set. */
  wake(): void {
    if (this.#dueMs === null) return;
    const waitMs = this.#dueMs - this.#parts.clock();
    if (waitMs > 0) {
      // More than a day: the clock was set back since.
      this.#setDue(Math.min(waitMs, dayMs));
    } else {
      this.#setDue(dayMs);
      this.#parts.check();
    }
  }

  #setDue(inMs: number): void {
    this.#cancel?.();
    this.#dueMs = this.#parts.clock() + inMs;
    this.#cancel = this.#parts.startTimer(Math.min(inMs, longestTimerMs), () => {
      this.wake();
    });
  }
}
