import {
  nextUpdateState,
  type OpenUpdateSource,
  UpdateError,
  type UpdateEvent,
  type UpdateSource,
  type UpdateState,
} from './update-state.ts';

export interface UpdateParts {
  /** The feed as the settings have it now; null is off. */
  readonly feed: () => string | null;
  /** How this copy of the program is replaced. Asked only where a feed is set. */
  readonly means: () => UpdateMeans;
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** Closes the host, so that nothing acknowledged is lost when the program ends for the new one. */
  readonly beforeInstall: () => Promise<void>;
  /** Called with every new state, never with the first: that is `state`. */
  readonly onChange: (state: UpdateState) => void;
}

export type UpdateMeans =
  | { readonly kind: 'source'; readonly open: OpenUpdateSource }
  | { readonly kind: 'obstacle'; readonly why: string };

/**
 * Finds, fetches and installs new versions of this program, each step at a click.
 *
 * Invariants: 1. without a feed there is no source, no timer and no request; 2. nothing is downloaded but by `download`,
 * and nothing installed but by `install` or a clean quit; 3. at most one step is under way; 4. a source whose feed is no
 * longer the one that is set is closed, and what it still says does not count; 5. no call ever throws: what fails is the
 * state, and the program goes on.
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

  /** Looks whether there is a newer version, because a person asked. */
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

  /** Installs the version that was downloaded and starts it: this program ends. */
  async install(): Promise<void> {
    if (!this.#apply({ kind: 'install_began' })) return;
    await this.#step(async (source) => {
      await source.installAndRestart(this.#parts.beforeInstall);
      return null;
    });
  }

  /** To be called when the setting may have changed. A feed that was changed starts from nothing. */
  feedChanged(): void {
    // What is being installed was agreed to; the end of the program, or the failure, looks at the feed again.
    if (this.#state.kind === 'installing' || this.#parts.feed() === this.#feed) return;
    this.#followFeed();
    this.#parts.onChange(this.#state);
  }

  /** To be called after a sleep of the machine: the daily check may be due. */
  wake(): void {
    this.#daily.wake();
  }

  /** Ends what is under way. With `install`, at a clean quit, what is ready is installed first. */
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

  /** Does one step with the source that is open, and turns its outcome into a state. */
  async #step(act: (source: UpdateSource) => Promise<UpdateEvent | null>): Promise<void> {
    const source = this.#source;
    if (source === null) return;
    let outcome: UpdateEvent | null;
    try {
      outcome = await act(source);
    } catch (error) {
      outcome = { kind: 'step_failed', problem: sentenceOf(error) };
    }
    if (source !== this.#source) return;
    const hasFailed = outcome?.kind === 'step_failed';
    if (hasFailed) this.#dropSource();
    this.#daily.settled(!hasFailed);
    if (outcome !== null) this.#apply(outcome);
    if (hasFailed) this.feedChanged();
  }

  /** Whether the event had a place in the present state. */
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

/** Also what no source should throw ends up as a state: a bug here must not take the tokens down with it. */
function sentenceOf(error: unknown): string {
  if (error instanceof UpdateError) return error.message;
  const [story = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `Something unexpected failed (${story.slice(0, 200)}). Try again; if it stays, please report it.`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Not at the start itself: then the machine and its network have other things to do. */
const firstCheckAfterMs = 5 * minuteMs;
const retryAfterMs = hourMs;
/** The longest nap: after a sleep that nobody told us of, or a clock that was set, time is looked at again this soon. */
const maxNapMs = hourMs;

/** Calls `act` once, after `ms` at the earliest. Returns how to call it off. */
type StartTimer = (ms: number, act: () => void) => () => void;

export interface DailyCheckParts {
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** Asks for a check. `settled` is told how it went, if it was made. */
  readonly check: () => void;
}

/**
 * The check that nobody asks for: minutes after the start, then once a day, an hour later after a failure.
 *
 * The due time is an instant of the wall clock, compared after capped naps and at `wake()`, so a laptop that sleeps most
 * of the day still checks. Stopped, it has no timer at all.
 */
export class DailyCheck {
  readonly #parts: DailyCheckParts;
  #dueMs: number | null = null;
  #callOff: (() => void) | null = null;

  constructor(parts: DailyCheckParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#setDue(firstCheckAfterMs);
  }

  stop(): void {
    this.#dueMs = null;
    this.#callOff?.();
    this.#callOff = null;
  }

  /** A check was made, by whomever: the next is due a day later, or sooner when this one failed. */
  settled(succeeded: boolean): void {
    if (this.#dueMs !== null) this.#setDue(succeeded ? dayMs : retryAfterMs);
  }

  /** Looks at the clock now: after a nap, a sleep of the machine, a clock that was set. */
  wake(): void {
    if (this.#dueMs === null) return;
    const waitMs = this.#dueMs - this.#parts.clock();
    if (waitMs > 0) {
      // More than a day: the clock was set back, and the instant was one of the clock as it was before.
      this.#setDue(Math.min(waitMs, dayMs));
    } else {
      this.#setDue(dayMs);
      this.#parts.check();
    }
  }

  #setDue(inMs: number): void {
    this.#callOff?.();
    this.#dueMs = this.#parts.clock() + inMs;
    this.#callOff = this.#parts.startTimer(Math.min(inMs, maxNapMs), () => {
      this.wake();
    });
  }
}
