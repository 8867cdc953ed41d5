import type { CallEnd, CallFailure, CallMoment, LiveCall } from '../contract/calls/call.ts';
import type { CallHappening, Prompt } from '../contract/menu/ivr-call.ts';
import { callVariable } from '../core/calls/asterisk-lines.ts';
import { isoInstant } from '../core/iso-instant.ts';
import {
  type CallInput,
  type CallState,
  type CallStep,
  type CallTime,
  startCall,
  step,
  waitSeconds,
} from '../core/ivr/call/step.ts';
import type { Route } from '../core/ivr/destination-route.ts';
import { isPlainId } from '../core/ivr/export/plain-names.ts';
import type { Flow } from '../core/ivr/flow.ts';
import type { Clock } from '../core/ledger.ts';
import { AriError, type AriPort, isOutOfReach } from './ari-port.ts';
import { CallExit } from './call-exit.ts';
import { CallLease } from './call-lease.ts';
import type { CallLog, CallUnderWay } from './call-log.ts';
import { type MomentNow, momentOf } from './call-moments.ts';
import { CallSound } from './call-sound.ts';
import { type CarriedCall, writeCarried } from './call-state.ts';
import type { Timer } from './call-timer.ts';
import type { FoundPrompt, Prompts } from './prompts.ts';

export interface CallParts {
  /** Throws `AriError` while there is no connection. */
  readonly ari: () => AriPort;
  readonly prompts: Prompts;
  readonly log: CallLog;
  readonly clock: Clock;
  readonly timer: Timer;
  /** By the rules of the telephone system and the settings, as they are now. */
  readonly routeTo: (destination: string) => Route;
  /** One more call to an outside number; false: no more are allowed in this hour. */
  readonly countOutside: (channel: string) => Promise<boolean>;
  /** What is set by hand, as it is when opening hours are asked. */
  readonly switches: CallTime['switches'];
  /** The call changed: keys, menu, or what it does. */
  readonly onChange: (call: RunningCall) => void;
  /** Once. */
  readonly onEnd: (call: RunningCall, end: CallEnd) => void;
  /** A bug. */
  readonly onFailure: (error: unknown) => void;
}

/** What a call is from its first moment on. */
export type CallFacts = Omit<CallUnderWay, 'keys' | 'moments' | 'state' | 'flow'> & {
  readonly flow: Flow;
  readonly flowHash: string;
  /** Whether the dialplan handed it over. A phone that we rang has no dialplan to go back to. */
  readonly hasDialplan: boolean;
};

/** What is known of a call that an earlier start of the program ran. */
export interface ResumedCall {
  readonly carried: CarriedCall;
  readonly keys: readonly string[];
  readonly moments: readonly CallMoment[];
}

/** At most so many prompts follow an input, without the messages: two, and that of the next menu. */
const mostPrompts = 3;

/**
 * One call in phone menus.
 *
 * The step function of `core` decides; here its happenings become requests to Asterisk, and the events of Asterisk its
 * inputs. What it plays is `call-sound.ts`, how long Asterisk waits for us `call-lease.ts`, and how it leaves `call-exit.ts`. Invariants:
 * 1. Inputs are taken strictly one after the other: the next one only when Asterisk has accepted what the last one led to.
 * 2. Only the end of what plays now counts as the end of a prompt; ends of stopped playbacks come later and are ignored.
 * 3. The state is in a variable of the channel after each step, so that a restarted program continues there.
 * 4. It ends once, whatever comes last.
 */
export class RunningCall {
  readonly facts: CallFacts;
  readonly moments: CallMoment[];
  readonly keys: string[];
  readonly #parts: CallParts;
  readonly #sound: CallSound;
  readonly #lease: CallLease;
  readonly #exit: CallExit;
  readonly #waiting: (() => Promise<void>)[] = [];
  #isBusy = false;
  #state: CallState | null = null;
  #menuSince: string;
  /** Whether the playback of this prompt was tried a second time. */
  #isRepeated = false;
  /** Null while no time for a key runs. */
  #cancelTimer: (() => void) | null = null;
  #isHungUp = false;
  #isEnded = false;

  constructor(facts: CallFacts, parts: CallParts, resumed: ResumedCall | null = null) {
    this.facts = facts;
    this.#parts = parts;
    this.moments = [...(resumed?.moments ?? [])];
    this.keys = [...(resumed?.keys ?? [])];
    const carried = resumed?.carried;
    this.#state = carried?.state ?? null;
    this.#menuSince = carried?.menu_since ?? facts.started_at;
    const { ari, routeTo, countOutside } = parts;
    const { channel, hasDialplan } = facts;
    this.#sound = new CallSound(facts, ari, carried);
    this.#lease = new CallLease(channel, parts);
    this.#exit = new CallExit({
      ...{ ari, channel, hasDialplan, routeTo, countOutside },
      stopPlaying: () => this.#sound.stop(),
      takeBackLease: () => this.#lease.takeBack(),
      end: (end) => this.#end(end),
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Null before the first menu and after the last. */
  live(): LiveCall | null {
    const state = this.#state;
    if (this.#isEnded || state === null || state.kind === 'ended') return null;
    const { id, pbx, ivr, draft, caller, started_at } = this.facts;
    return {
      ...{ id, pbx, ivr, draft, caller, started_at },
      keys: [...this.keys],
      menu: state.menu,
      menu_since: this.#menuSince,
      doing: state.kind === 'playing' ? 'playing' : 'waiting',
    };
  }

  /** Answers the call, and plays its first menu. */
  start(): void {
    this.#take(() => this.#begin());
  }

  /** Continues where the call is: after a restart of this program, or of the connection. */
  resume(): void {
    this.#take(async () => {
      this.#exit.stay();
      const state = this.#state;
      if (state === null) {
        await this.#begin();
        return;
      }
      await this.#findLimit(false);
      if (state.kind === 'ended') {
        await this.#exit.to(state.destination);
        return;
      }
      this.#note({ kind: 'resumed', menu: state.menu });
      this.#parts.onChange(this);
      if (state.kind !== 'playing') {
        this.#waitForKey(state);
        await Promise.all([this.#lease.renew(), this.#carry()]);
        return;
      }
      if (await this.#sound.isPlaying()) return;
      // It ended while nobody listened, or was never started: played again rather than left out.
      if (!(await this.#play(state.prompts[0]))) await this.#step({ kind: 'prompt_ended' });
    });
  }

  /** Gives the call to the fallback of its dialplan. */
  giveBack(reason: CallFailure): void {
    this.#take(() => this.#exit.toFallback(reason));
  }

  /** Tells Asterisk that somebody is here: without this for some seconds, the fallback takes the call. */
  renewLease(): void {
    // While a sound plays, the lease lasts until after it.
    if (this.#isEnded || this.#sound.playback !== null) return;
    // A call that a lost request has stopped gets one short lease, so that the fallback takes it.
    if (!this.#goesOn() && (this.#isBusy || this.#lease.isShort)) return;
    // A lease that could not be renewed is renewed again before it runs out.
    this.#lease.renew().catch((error: unknown) => {
      if (!(error instanceof AriError)) this.#parts.onFailure(error);
      else if (error.code === 'gone') this.left();
    });
  }

  pressed(key: string): void {
    // Asterisk also knows the keys A to D, which no menu has.
    if (/^[0-9*#]$/.test(key)) this.#input({ kind: 'key', key });
  }

  /** A playback is over. `state` is `done` or `failed`. */
  played(playback: string, state: string): void {
    this.#take(async () => {
      if (!this.#sound.hasEnded(playback)) return;
      if (state === 'failed' && !this.#isHungUp) await this.#repeatOrSkip();
      else await this.#step({ kind: 'prompt_ended' });
    });
  }

  hangupRequested(): void {
    this.#isHungUp = true;
  }

  /** The channel has left our application, or is gone. */
  left(): void {
    this.#stopTimer();
    this.#take(() => this.#exit.find(this.#menu(), this.#isHungUp));
  }

  /** Does and stores nothing more: who takes the call next continues it from what is stored, and must find that unchanged. */
  letGo(): void {
    this.#isEnded = true;
    this.#stopTimer();
    this.#waiting.length = 0;
  }

  /** Ends the record of a call that is out of reach. */
  abandon(reason: CallFailure): void {
    this.#end({ kind: 'failed', reason });
  }

  /** Whether something is to come in a menu: an answer of Asterisk, or the end of the time for a key. */
  #goesOn(): boolean {
    const state = this.#state;
    if (this.#exit.isLeaving || state === null || state.kind === 'ended') return false;
    return this.#isBusy || this.#cancelTimer !== null;
  }

  #input(input: CallInput): void {
    this.#take(() => this.#step(input));
  }

  #take(work: () => Promise<void>): void {
    if (this.#isEnded) return;
    this.#waiting.push(work);
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#workOff();
  }

  async #workOff(): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      if (this.#isEnded) break;
      try {
        await work();
      } catch (error) {
        await this.#fail(error);
      }
    }
    this.#isBusy = false;
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof AriError) {
      // Without a connection the call waits where it is, for the next connection or for the fallback.
      if (isOutOfReach(error)) {
        this.#waitAgain();
        return;
      }
      // It is leaving: an event reports that soon, or else the next lease.
      if (error.code === 'gone') {
        this.#lease.forget();
        return;
      }
    } else {
      this.#parts.onFailure(error);
    }
    const reason = error instanceof AriError ? 'pbx_refused' : 'internal';
    try {
      await this.#exit.toFallback(reason);
    } catch (again) {
      // It is still with us: the next lease ends it.
      if (!isOutOfReach(again)) this.#end({ kind: 'failed', reason });
    }
  }

  /** After a lost request. Its time for a key may have been stopped before the request. */
  #waitAgain(): void {
    const state = this.#state;
    if (this.#isEnded || this.#exit.isLeaving || this.#cancelTimer !== null) return;
    if (state?.kind === 'waiting' || state?.kind === 'collecting') this.#waitForKey(state);
  }

  async #begin(): Promise<void> {
    await Promise.all([this.#parts.ari().answer(this.facts.channel), this.#findLimit(true)]);
    await this.#carryOut(startCall(this.facts.flow, this.#now()));
  }

  async #step(input: CallInput): Promise<void> {
    const before = this.#state;
    if (before === null || this.#exit.isLeaving) return;
    const next = step(this.facts.flow, before, input, this.#now());
    if (next.happenings.length > 0) await this.#carryOut(next);
  }

  async #carryOut(first: CallStep): Promise<void> {
    this.#stopTimer();
    let next = first;
    // Messages that nobody hears may lead to each other for ever.
    for (let unheard = 0; unheard <= this.facts.flow.messages.size + mostPrompts; unheard += 1) {
      for (const happening of next.happenings) await this.#tell(happening);
      this.#state = next.state;
      const { state } = next;
      if (state.kind === 'ended') {
        await this.#exit.to(state.destination);
        return;
      }
      this.#parts.onChange(this);
      if (state.kind !== 'playing') {
        this.#waitForKey(state);
        // A digit stops what plays.
        if (state.kind === 'collecting') await this.#sound.stop();
        await Promise.all([this.#lease.renew(), this.#carry()]);
        return;
      }
      if (await this.#play(state.prompts[0])) return;
      // A prompt that cannot be played is over at once.
      next = step(this.facts.flow, state, { kind: 'prompt_ended' }, this.#now());
    }
    await this.#exit.toFallback('internal');
  }

  #now(): CallTime {
    return { at: this.#parts.clock(), switches: this.#parts.switches };
  }

  /** False when there is nothing to play. */
  async #play({ recording }: Prompt): Promise<boolean> {
    const menu = this.#menu();
    const found = await this.#find(recording);
    const isFound = typeof found === 'object';
    this.#note({ kind: 'played', menu, recording, missing: isFound ? null : found });
    if (!isFound) {
      await this.#sound.stop();
      return false;
    }
    this.#isRepeated = false;
    await this.#startPlaying(found);
    return true;
  }

  /** As its menu is spoken. */
  #find(prompt: string): ReturnType<Prompts['find']> {
    const { menus, messages } = this.facts.flow;
    const node = this.#menu();
    return this.#parts.prompts.find(prompt, (menus.get(node) ?? messages.get(node))?.speech);
  }

  /** The state is set, and a lease that lasts until after the sound, before it begins. */
  #startPlaying(found: FoundPrompt): Promise<void> {
    return this.#sound.start(found, (seconds) => Promise.all([this.#lease.renew(seconds), this.#carry()]));
  }

  /**
   * Asterisk fails to play a sound that another call makes it fetch at the same moment (main/media_cache.c,
   * `ast_media_cache_retrieve`: a duplicate is dropped without the path of the file), so a failure is tried once more. A sound of
   * its own that it cannot play it does not have.
   */
  async #repeatOrSkip(): Promise<void> {
    const state = this.#state;
    if (state?.kind !== 'playing') return;
    const [{ recording }] = state.prompts;
    const found = await this.#find(recording);
    const isSound = typeof found === 'object' && found.sound !== undefined;
    if (!this.#isRepeated && typeof found === 'object' && !isSound) {
      this.#isRepeated = true;
      await this.#startPlaying(found);
      return;
    }
    const last = this.moments.findLastIndex(({ kind }) => kind === 'played');
    const moment = this.moments[last];
    if (moment?.kind === 'played')
      this.moments[last] = { ...moment, missing: isSound ? 'gone' : 'not_fetched' };
    await this.#step({ kind: 'prompt_ended' });
  }

  #waitForKey(waiting: Extract<CallState, { kind: 'waiting' | 'collecting' }>): void {
    const seconds = waitSeconds(this.facts.flow, waiting);
    const over = waiting.kind === 'waiting' ? 'silence' : 'digits_ended';
    this.#stopTimer();
    this.#cancelTimer = this.#parts.timer.start(seconds * 1000, () => {
      this.#cancelTimer = null;
      this.#take(async () => {
        // A key that came first has changed the state.
        if (this.#state === waiting) await this.#step({ kind: over });
      });
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #end(end: CallEnd): void {
    if (this.#isEnded) return;
    this.letGo();
    this.#parts.onEnd(this, end);
  }

  async #tell(happening: CallHappening): Promise<void> {
    const moment = momentOf(happening);
    if (happening.kind === 'entered') this.#menuSince = isoInstant(this.#parts.clock());
    if (happening.kind === 'key') this.keys.push(happening.key);
    if (happening.kind === 'silence') this.keys.push('-');
    if (moment !== null) this.#note(moment);
    // As the exported dialplan does: what comes after may send it.
    if (happening.kind === 'sms' && isPlainId(happening.template))
      await this.#parts.ari().setVariable(this.facts.channel, 'ROTAVOX_SMS_TEMPLATE', happening.template);
  }

  #note(moment: MomentNow): void {
    const at_ms = Math.max(0, Math.round(this.#parts.clock() - Date.parse(this.facts.started_at)));
    this.moments.push({ at_ms, ...moment });
  }

  #menu(): string & Flow['start'] {
    const state = this.#state;
    return state === null || state.kind === 'ended' ? this.facts.flow.start : state.menu;
  }

  async #carry(): Promise<void> {
    const state = this.#state;
    if (this.#isEnded || state === null || state.kind === 'ended') return;
    const { flow: _flow, hasDialplan: _hasDialplan, flowHash, ...facts } = this.facts;
    const { id, ivr, draft, started_at, channel } = facts;
    this.#parts.log.keep({ ...facts, flow: flowHash, state, keys: this.keys, moments: this.moments });
    const carried = writeCarried({
      ...{ id, ivr, draft, started_at, state },
      flow: flowHash,
      menu_since: this.#menuSince,
      playback: this.#sound.playback,
      playbacks: this.#sound.count,
    });
    await this.#parts.ari().setVariable(channel, callVariable, carried);
  }

  async #findLimit(isNew: boolean): Promise<void> {
    if (this.facts.hasDialplan) await this.#lease.findSiteLimit(isNew);
  }
}
