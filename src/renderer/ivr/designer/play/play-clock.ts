import type { CallHappening } from '../../../../contract/ivr-call.ts';
import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import { type CallState, type CallStep, startCall, step } from '../../../../core/ivr/call/step.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { callSentence } from '../../../../text/phone-menu.ts';
import type { Voice } from './prompt-voice.ts';

/** How time passes in the phone: as it does, ten times as fast and unheard, or only when somebody says so. */
export type Pace = 'real' | 'fast' | 'steps';

export interface LogLine {
  readonly kind: CallHappening['kind'] | 'ignored';
  readonly words: string;
}

/** What the phone shows. */
export interface PlayState {
  readonly call: CallState;
  readonly log: readonly LogLine[];
  readonly happenings: readonly CallHappening[];
  /** What the caller did so far, as a scenario writes it. */
  readonly inputs: readonly ScenarioInput[];
  /** What the caller will do by itself; the first comes next. */
  readonly toCome: readonly ScenarioInput[];
  readonly pace: Pace;
  readonly isMuted: boolean;
  /** What is left of the menu's time, in milliseconds; null while it does not wait. */
  readonly leftMs: number | null;
}

const fastRate = 10;
/** How often the time that is left is told. */
const tickMs = 100;
/** How long a caller who plays a scenario thinks before a key. */
const thoughtMs = 700;
/** Only the end of a very long call is kept to be read. */
const longestLog = 500;

/**
 * A call in the phone: the engine's steps, and the time between them.
 *
 * Invariants: 1. at most one thing is under way, a prompt or an alarm, and it belongs to the present state; 2. nothing acts
 * after `close`; 3. with the pace `steps`, only the person moves the call on.
 */
export class PlayClock {
  readonly #flow: Flow;
  readonly #timer: PlayTimer;
  readonly #voice: Voice;
  readonly #lengthOf: (prompt: string) => number;
  readonly #listeners = new Set<() => void>();
  #state: PlayState;
  /** Ends what is under way. */
  #stop: () => void = () => undefined;
  /** When the time that is left was last told. */
  #toldAt = 0;

  constructor({
    flow,
    timer,
    voice,
    lengthOf,
    inputs,
    pace,
    isMuted,
  }: {
    readonly flow: Flow;
    readonly timer: PlayTimer;
    readonly voice: Voice;
    /** In milliseconds: for prompts that are not heard. */
    readonly lengthOf: (prompt: string) => number;
    readonly inputs: readonly ScenarioInput[];
    readonly pace: Pace;
    readonly isMuted: boolean;
  }) {
    this.#flow = flow;
    this.#timer = timer;
    this.#voice = voice;
    this.#lengthOf = lengthOf;
    const { state: call, happenings } = startCall(flow);
    const log = happenings.map((happening) => ({
      kind: happening.kind,
      words: callSentence(happening, flow),
    }));
    this.#state = { call, log, happenings, inputs: [], toCome: inputs, pace, isMuted, leftMs: null };
  }

  readonly state = (): PlayState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Lets time pass, from where the call is. */
  start(): void {
    this.#goOn();
  }

  /** Nothing is heard and nothing happens any more; what is shown stays. */
  close(): void {
    this.#stopAll();
  }

  press(key: string): void {
    this.#show({ toCome: [] });
    this.#press(key);
  }

  promptOver(): void {
    if (this.#state.call.kind !== 'playing') return;
    this.#take(step(this.#flow, this.#state.call, { kind: 'prompt_ended' }), null);
  }

  timeOver(): void {
    if (this.#state.call.kind !== 'waiting') return;
    if (this.#state.toCome[0] === '-') this.#show({ toCome: this.#state.toCome.slice(1) });
    this.#take(step(this.#flow, this.#state.call, { kind: 'silence' }), '-');
  }

  /** The next thing that time or the scenario would bring. */
  advance(): void {
    const [next] = this.#state.toCome;
    if (this.#state.call.kind === 'playing') this.promptOver();
    else if (next !== undefined && next !== '-') this.#pressNext(next);
    else this.timeOver();
  }

  setPace(pace: Pace): void {
    this.#tellTime();
    this.#show({ pace });
    this.#goOn();
  }

  setMuted(isMuted: boolean): void {
    this.#show({ isMuted });
    if (this.#state.call.kind === 'playing') this.#goOn();
  }

  #pressNext(key: string): void {
    this.#show({ toCome: this.#state.toCome.slice(1) });
    this.#press(key);
  }

  #press(key: string): void {
    const { call } = this.#state;
    if (call.kind === 'ended') return;
    const taken = step(this.#flow, call, { kind: 'key', key });
    if (taken.happenings.length > 0) this.#take(taken, key);
    else this.#say([{ kind: 'ignored', words: `Key ${key} changes nothing while the last prompt plays.` }]);
  }

  #take({ state: call, happenings }: CallStep, input: ScenarioInput | null): void {
    this.#stopAll();
    this.#state = {
      ...this.#state,
      call,
      leftMs: null,
      happenings: [...this.#state.happenings, ...happenings],
      inputs: input === null ? this.#state.inputs : [...this.#state.inputs, input],
    };
    this.#say(
      happenings.map((happening) => ({ kind: happening.kind, words: callSentence(happening, this.#flow) })),
    );
    this.#goOn();
  }

  /** Begins what the present state is about: a prompt, or the time for a key. */
  #goOn(): void {
    this.#stopAll();
    const { call } = this.#state;
    if (call.kind === 'playing') this.#hear(call.prompts[0].recording);
    if (call.kind === 'waiting') this.#wait(call);
  }

  #hear(prompt: string): void {
    const { pace, isMuted } = this.#state;
    const over = (): void => {
      if (this.#state.pace !== 'steps') this.promptOver();
    };
    const heard = isMuted || pace === 'fast' ? null : this.#voice.play(prompt, this.#once(over));
    if (heard !== null) this.#stop = heard;
    else if (pace !== 'steps') this.#stop = this.#timer.start(this.#lengthOf(prompt) / this.#rate(), over);
  }

  #wait({ menu }: Extract<CallState, { kind: 'waiting' }>): void {
    const wholeMs = (this.#flow.menus.get(menu)?.timeoutSeconds ?? 0) * 1000;
    this.#show({ leftMs: this.#state.leftMs ?? wholeMs });
    this.#toldAt = this.#timer.clock();
    if (this.#state.pace === 'steps') return;
    const [next] = this.#state.toCome;
    if (next === undefined || next === '-') this.#tick();
    else this.#stop = this.#timer.start(thoughtMs / this.#rate(), () => this.#pressNext(next));
  }

  #tick(): void {
    const { leftMs } = this.#state;
    const nextMs = Math.min(tickMs, (leftMs ?? 0) / this.#rate());
    this.#stop = this.#timer.start(nextMs, () => {
      this.#tellTime();
      if (this.#state.leftMs === 0) this.timeOver();
      else this.#tick();
    });
  }

  /** Takes off what has passed since it was last told. */
  #tellTime(): void {
    const { call, leftMs, pace, toCome } = this.#state;
    const now = this.#timer.clock();
    const isRunning = call.kind === 'waiting' && pace !== 'steps' && (toCome[0] ?? '-') === '-';
    if (isRunning && leftMs !== null)
      this.#show({ leftMs: Math.max(0, Math.round(leftMs - (now - this.#toldAt) * this.#rate())) });
    this.#toldAt = now;
  }

  #rate(): number {
    return this.#state.pace === 'fast' ? fastRate : 1;
  }

  /** A voice may tell that it is over after it was stopped; that counts no more. */
  #once(act: () => void): () => void {
    const { call } = this.#state;
    return () => {
      if (this.#state.call === call) act();
    };
  }

  #stopAll(): void {
    const stop = this.#stop;
    this.#stop = () => undefined;
    stop();
  }

  #say(lines: readonly LogLine[]): void {
    this.#show({ log: [...this.#state.log, ...lines].slice(-longestLog) });
  }

  #show(change: Partial<PlayState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Time, as the phone needs it: a clock and alarms. A test moves both by hand. */
interface PlayTimer {
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
