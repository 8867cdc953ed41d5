import type { CallHappening } from '../../../../contract/menu/ivr-call.ts';
import type { ScenarioInput } from '../../../../contract/menu/ivr-draft.ts';
import { callTimeOf, type PlannedCall } from '../../../../core/ivr/call/run-scenario.ts';
import {
  type CallState,
  type CallStep,
  type CallTime,
  startCall,
  step,
  waitSeconds,
} from '../../../../core/ivr/call/step.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { callSentence } from '../../../../text/menu/phone-menu.ts';
import type { Voice } from './prompt-voice.ts';
import { phoneText } from '../../../../text/menu/test-call.ts';

/** Real time, ten times as fast and without sound, or step by step. */
export type Pace = 'real' | 'fast' | 'steps';

export interface LogLine {
  readonly kind: CallHappening['kind'] | 'ignored';
  readonly text: string;
}

/** What the phone shows. */
export interface PlayState {
  readonly call: CallState;
  readonly log: readonly LogLine[];
  readonly happenings: readonly CallHappening[];
  /** What the caller did so far. */
  readonly inputs: readonly ScenarioInput[];
  /** The inputs of the played scenario that are still to come. */
  readonly toCome: readonly ScenarioInput[];
  readonly pace: Pace;
  readonly isMuted: boolean;
  /** The time left before the timeout, in milliseconds; null while the menu does not wait. */
  readonly leftMs: number | null;
}

const fastRate = 10;
/** How often the time that is left is updated. */
const tickMs = 100;
/** The pause before each key of a played scenario. */
const keyPauseMs = 700;
/** Only the last lines of a very long call are kept. */
const longestLog = 500;

/**
 * A call in the phone: the engine's steps, and the time between them.
 *
 * Invariants: 1. at most one prompt or timer is active, and it belongs to the current state; 2. nothing happens after
 * `close`; 3. with the pace `steps`, only a person advances the call.
 */
export class PlayClock {
  readonly #flow: Flow;
  /** All steps are at the instant at which the call comes, as in a scenario. */
  readonly time: CallTime;
  readonly #timer: PlayTimer;
  readonly #voice: Voice;
  readonly #lengthOf: (prompt: string) => number;
  readonly #listeners = new Set<() => void>();
  #state: PlayState;
  /** Stops the active prompt or timer. */
  #stop: () => void = () => undefined;
  /** When the time that is left was last updated. */
  #updatedAt = 0;

  constructor({
    flow,
    timer,
    voice,
    lengthOf,
    planned,
    pace,
    isMuted,
  }: {
    readonly flow: Flow;
    readonly timer: PlayTimer;
    readonly voice: Voice;
    /** In milliseconds: for prompts without sound. */
    readonly lengthOf: (prompt: string) => number;
    readonly planned: PlannedCall;
    readonly pace: Pace;
    readonly isMuted: boolean;
  }) {
    this.#flow = flow;
    this.#timer = timer;
    this.#voice = voice;
    this.#lengthOf = lengthOf;
    this.time = callTimeOf(planned, Date.now());
    const { state: call, happenings } = startCall(flow, this.time);
    const log = happenings.map((happening) => ({
      kind: happening.kind,
      text: callSentence(happening, flow),
    }));
    this.#state = { call, log, happenings, inputs: [], toCome: planned.inputs, pace, isMuted, leftMs: null };
  }

  readonly state = (): PlayState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts the clock. */
  start(): void {
    this.#goOn();
  }

  /** Stops sound and clock; the state stays. */
  close(): void {
    this.#stopAll();
  }

  press(key: string): void {
    this.#show({ toCome: [] });
    this.#press(key);
  }

  promptOver(): void {
    if (this.#state.call.kind !== 'playing') return;
    this.#take(step(this.#flow, this.#state.call, { kind: 'prompt_ended' }, this.time), null);
  }

  timeOver(): void {
    const { call, toCome } = this.#state;
    if (call.kind !== 'waiting' && call.kind !== 'collecting') return;
    if (toCome[0] === '-') this.#show({ toCome: toCome.slice(1) });
    const kind = call.kind === 'waiting' ? 'silence' : 'digits_ended';
    this.#take(step(this.#flow, call, { kind }, this.time), '-');
  }

  /** Skips to the next step of the clock or the scenario. */
  advance(): void {
    const [next] = this.#state.toCome;
    if (this.#state.call.kind === 'playing') this.promptOver();
    else if (next !== undefined && next !== '-') this.#pressNext(next);
    else this.timeOver();
  }

  setPace(pace: Pace): void {
    this.#updateTime();
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
    const taken = step(this.#flow, call, { kind: 'key', key }, this.time);
    if (taken.happenings.length > 0) this.#take(taken, key);
    else this.#log([{ kind: 'ignored', text: phoneText.ignored(key) }]);
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
    this.#log(
      happenings.map((happening) => ({ kind: happening.kind, text: callSentence(happening, this.#flow) })),
    );
    this.#goOn();
  }

  /** Starts the prompt or the timer of the current state. */
  #goOn(): void {
    this.#stopAll();
    const { call } = this.#state;
    if (call.kind === 'playing') this.#play(call.prompts[0].recording);
    if (call.kind === 'waiting' || call.kind === 'collecting') this.#wait(call);
  }

  #play(prompt: string): void {
    const { pace, isMuted } = this.#state;
    const over = (): void => {
      if (this.#state.pace !== 'steps') this.promptOver();
    };
    const heard = isMuted || pace === 'fast' ? null : this.#voice.play(prompt, this.#once(over));
    if (heard !== null) this.#stop = heard;
    else if (pace !== 'steps') this.#stop = this.#timer.start(this.#lengthOf(prompt) / this.#rate(), over);
  }

  #wait(call: Extract<CallState, { kind: 'waiting' | 'collecting' }>): void {
    const wholeMs = waitSeconds(this.#flow, call) * 1000;
    this.#show({ leftMs: this.#state.leftMs ?? wholeMs });
    this.#updatedAt = this.#timer.clock();
    if (this.#state.pace === 'steps') return;
    const [next] = this.#state.toCome;
    if (next === undefined || next === '-') this.#tick();
    else this.#stop = this.#timer.start(keyPauseMs / this.#rate(), () => this.#pressNext(next));
  }

  #tick(): void {
    const { leftMs } = this.#state;
    const nextMs = Math.min(tickMs, (leftMs ?? 0) / this.#rate());
    this.#stop = this.#timer.start(nextMs, () => {
      this.#updateTime();
      if (this.#state.leftMs === 0) this.timeOver();
      else this.#tick();
    });
  }

  /** Subtracts the time since the last update. */
  #updateTime(): void {
    const { call, leftMs, pace, toCome } = this.#state;
    const now = this.#timer.clock();
    const isRunning =
      (call.kind === 'waiting' || call.kind === 'collecting') &&
      pace !== 'steps' &&
      (toCome[0] ?? '-') === '-';
    if (isRunning && leftMs !== null)
      this.#show({ leftMs: Math.max(0, Math.round(leftMs - (now - this.#updatedAt) * this.#rate())) });
    this.#updatedAt = now;
  }

  #rate(): number {
    return this.#state.pace === 'fast' ? fastRate : 1;
  }

  /** A voice may report its end after it was stopped; that is ignored. */
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

  #log(lines: readonly LogLine[]): void {
    this.#show({ log: [...this.#state.log, ...lines].slice(-longestLog) });
  }

  #show(change: Partial<PlayState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** A clock and timers. A test controls both. */
interface PlayTimer {
  /** In milliseconds, monotonic. */
  readonly clock: () => number;
  /** Calls `act` once, after `ms` at the earliest. Returns how to cancel it. */
  start(ms: number, act: () => void): () => void;
}

export const browserTimer: PlayTimer = {
  clock: () => performance.now(),
  start(ms, act) {
    const timeout = setTimeout(act, ms);
    return () => clearTimeout(timeout);
  },
};
