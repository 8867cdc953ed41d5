import type { CallEnd, CallFailure, CallMoment, LiveCall } from '../contract/calls/call.ts';
import type { CallHappening, Prompt } from '../contract/menu/ivr-call.ts';
import type { DestinationRules } from '../contract/calls/pbx.ts';
import { callVariable, leaseSeconds } from '../core/calls/asterisk-lines.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { type CallInput, type CallState, type CallStep, startCall, step } from '../core/ivr/call/step.ts';
import { type DialplanPlace, routeOf } from '../core/ivr/destination-route.ts';
import { isPlainId } from '../core/ivr/export/plain-names.ts';
import type { Flow } from '../core/ivr/flow.ts';
import type { Clock } from '../core/ledger.ts';
import { unreachable } from '../core/unreachable.ts';
import { AriError, type AriPort } from './ari-port.ts';
import type { CallLog, CallUnderWay } from './call-log.ts';
import { type CarriedCall, writeCarried } from './call-state.ts';
import type { FoundPrompt, Prompts } from './prompts.ts';
import { absoluteTimeout, noteSiteLimit, readSiteLimit } from './site-limit.ts';

/** Calls back after a time. Returns how to cancel it. */
export interface Timer {
  start(ms: number, act: () => void): () => void;
}

export const systemTimer: Timer = {
  start(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface CallParts {
  /** Throws `AriError` while there is no connection. */
  readonly ari: () => AriPort;
  readonly prompts: Prompts;
  readonly log: CallLog;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly rules: () => DestinationRules;
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

/** How a call leaves us; whatever Asterisk tells after that is the end of it. */
type Leaving = { readonly kind: 'leaving'; readonly end: CallEnd } | { readonly kind: 'staying' };

/**
 * One call in phone menus.
 *
 * The step function of `core` decides; here its happenings become requests to Asterisk, and the events of Asterisk its
 * inputs. Invariants:
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
  readonly #waiting: (() => Promise<void>)[] = [];
  #isBusy = false;
  #state: CallState | null = null;
  #menuSince: string;
  #playback: string | null = null;
  /** One that was to be stopped, until Asterisk has done that. */
  #unstopped: string | null = null;
  #playbacks = 0;
  /** Whether the playback of this prompt was tried a second time. */
  #isRepeated = false;
  #stopTimer: () => void = () => undefined;
  /** When the site ends the call by itself; null: it does not. */
  #limitEndsAt: number | null = null;
  #leaving: Leaving = { kind: 'staying' };
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
    this.#playback = carried?.playback ?? null;
    this.#playbacks = carried?.playbacks ?? 0;
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
      doing: state.kind,
    };
  }

  /** Answers the call, and plays its first menu. */
  start(): void {
    this.#take(async () => {
      await Promise.all([this.#parts.ari().answer(this.facts.channel), this.#findLimit(true)]);
      await this.#carryOut(startCall(this.facts.flow));
    });
  }

  /** Continues where the call is: after a restart of this program, or of the connection. */
  resume(): void {
    this.#take(async () => {
      await this.#findLimit(false);
      const state = this.#state;
      if (state === null) {
        await this.#carryOut(startCall(this.facts.flow));
        return;
      }
      if (state.kind === 'ended') {
        this.#leaving = { kind: 'staying' };
        await this.#stopPlaying();
        await this.#leave(state.destination);
        return;
      }
      this.#note({ kind: 'resumed', menu: state.menu });
      this.#parts.onChange(this);
      if (state.kind === 'waiting') {
        this.#waitForKey();
        await Promise.all([this.#renew(), this.#carry()]);
        return;
      }
      if (this.#playback !== null && (await this.#parts.ari().isPlaying(this.#playback))) return;
      // It ended while nobody listened, or was never started: played again rather than left out.
      if (!(await this.#play(state.prompts[0]))) await this.#step({ kind: 'prompt_ended' });
    });
  }

  /** Gives the call to the fallback of its dialplan. */
  giveBack(reason: CallFailure): void {
    this.#take(() => this.#fallBack(reason));
  }

  /** Tells Asterisk that somebody is here: without this for some seconds, the fallback takes the call. */
  renewLease(): void {
    // While a sound plays, the lease lasts until after it.
    if (this.#isEnded || this.#leaving.kind === 'leaving' || this.#playback !== null) return;
    // A lease that could not be renewed is renewed again before it runs out.
    this.#renew().catch((error: unknown) => {
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
      if (playback !== this.#playback) return;
      this.#playback = null;
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
    this.#take(() => this.#findEnd());
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
      if (error.code === 'not_reached' || error.code === 'not_trusted' || error.code === 'signed_out') return;
      // It is leaving: an event reports that soon, or else the next lease.
      if (error.code === 'gone') return;
    } else {
      this.#parts.onFailure(error);
    }
    const reason = error instanceof AriError ? 'pbx_refused' : 'internal';
    try {
      await this.#fallBack(reason);
    } catch {
      this.#end({ kind: 'failed', reason });
    }
  }

  async #step(input: CallInput): Promise<void> {
    const before = this.#state;
    if (before === null || this.#leaving.kind === 'leaving') return;
    const next = step(this.facts.flow, before, input);
    if (next.happenings.length > 0) await this.#carryOut(next);
  }

  async #carryOut(first: CallStep): Promise<void> {
    this.#stopTimer();
    let next = first;
    for (;;) {
      for (const happening of next.happenings) await this.#tell(happening);
      this.#state = next.state;
      const { state } = next;
      if (state.kind === 'ended') {
        await this.#stopPlaying();
        await this.#leave(state.destination);
        return;
      }
      this.#parts.onChange(this);
      if (state.kind === 'waiting') {
        this.#waitForKey();
        await Promise.all([this.#renew(), this.#carry()]);
        return;
      }
      if (await this.#play(state.prompts[0])) return;
      // A prompt that cannot be played is over at once.
      next = step(this.facts.flow, state, { kind: 'prompt_ended' });
    }
  }

  /** False when there is nothing to play. */
  async #play({ recording }: Prompt): Promise<boolean> {
    const found = await this.#parts.prompts.find(recording);
    const menu = this.#menu();
    const isFound = typeof found === 'object';
    this.#note({ kind: 'played', menu, recording, missing: isFound ? null : found });
    if (!isFound) {
      await this.#stopPlaying();
      return false;
    }
    this.#isRepeated = false;
    await this.#startPlaying(found);
    return true;
  }

  /**
   * Stops what plays, and starts another sound.
   *
   * Asterisk sets no variable of a channel while a sound plays on it: the request waits for its end (res/stasis/control.c,
   * one queue of commands for each channel). So the state and a lease that lasts until after the sound are set first.
   */
  async #startPlaying({ media, seconds }: FoundPrompt): Promise<void> {
    const ari = this.#parts.ari();
    const before = this.#unstopped ?? this.#playback;
    this.#unstopped = before;
    this.#playbacks += 1;
    this.#playback = `${this.facts.id}.${this.#playbacks}`;
    await Promise.all([
      before === null ? undefined : ari.stopPlayback(before),
      this.#renew(Math.ceil(seconds)),
      this.#carry(),
    ]);
    this.#unstopped = null;
    await ari.play(this.facts.channel, this.#playback, media);
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
    const found = await this.#parts.prompts.find(recording);
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

  async #stopPlaying(): Promise<void> {
    const before = this.#unstopped ?? this.#playback;
    if (before === null) return;
    this.#unstopped = before;
    this.#playback = null;
    await this.#parts.ari().stopPlayback(before);
    this.#unstopped = null;
  }

  #waitForKey(): void {
    const seconds = this.facts.flow.menus.get(this.#menu())?.timeoutSeconds ?? 1;
    const waiting = this.#state;
    this.#stopTimer();
    this.#stopTimer = this.#parts.timer.start(seconds * 1000, () => {
      this.#take(async () => {
        // A key that came first has changed the state.
        if (this.#state === waiting) await this.#step({ kind: 'silence' });
      });
    });
  }

  async #leave(destination: string): Promise<void> {
    const { rules } = this.#parts;
    const ari = this.#parts.ari();
    const { channel } = this.facts;
    const to = routeOf(destination, rules());
    const end: CallEnd = { kind: 'destination', destination };
    switch (to.kind) {
      case 'hang_up':
        this.#leaving = { kind: 'leaving', end };
        await ari.hangUp(channel);
        this.#end(end);
        return;
      case 'dialplan': {
        const [exists] = await Promise.all([
          ari.readVariable(channel, `DIALPLAN_EXISTS(${to.context},${to.extension},1)`),
          this.#takeBackLease(),
        ]);
        // Null: this Asterisk cannot tell (no func_dialplan).
        if (exists === '0') {
          await this.#fallBack('no_such_place');
          return;
        }
        await this.#continue(to, end);
        return;
      }
      case 'other_menu':
        await this.#fallBack('no_such_menu');
        return;
      case 'none':
        await this.#fallBack('no_such_place');
        return;
      default:
        unreachable(to);
    }
  }

  async #fallBack(reason: CallFailure): Promise<void> {
    const end: CallEnd = { kind: 'failed', reason };
    if (this.facts.hasDialplan) {
      await this.#stopPlaying();
      await this.#takeBackLease();
      await this.#continue(null, end);
      return;
    }
    this.#leaving = { kind: 'leaving', end };
    await this.#parts.ari().hangUp(this.facts.channel);
    this.#end(end);
  }

  async #continue(place: DialplanPlace | null, end: CallEnd): Promise<void> {
    this.#leaving = { kind: 'leaving', end };
    await this.#parts.ari().continueAt(this.facts.channel, place);
    this.#end(end);
  }

  /** The channel has left: by our request, by the caller, or because the fallback took it. */
  async #findEnd(): Promise<void> {
    if (this.#leaving.kind === 'leaving') return this.#end(this.#leaving.end);
    const isThere = !this.#isHungUp && (await this.#isThere());
    this.#end(isThere ? { kind: 'failed', reason: 'fallback' } : { kind: 'hung_up', menu: this.#menu() });
  }

  async #isThere(): Promise<boolean> {
    try {
      return await this.#parts.ari().exists(this.facts.channel);
    } catch (error) {
      if (error instanceof AriError) return false;
      throw error;
    }
  }

  #end(end: CallEnd): void {
    if (this.#isEnded) return;
    this.letGo();
    this.#parts.onEnd(this, end);
  }

  async #tell(happening: CallHappening): Promise<void> {
    switch (happening.kind) {
      case 'entered':
        this.#menuSince = isoInstant(this.#parts.clock());
        this.#note({ kind: 'entered', menu: happening.menu });
        return;
      case 'playing':
        return; // noted when it is known whether it can be played
      case 'waiting':
        this.#note({ kind: 'waited', menu: happening.menu, seconds: happening.seconds });
        return;
      case 'key':
        this.keys.push(happening.key);
        this.#note({ kind: 'key', menu: happening.menu, key: happening.key, used: happening.used });
        return;
      case 'silence':
        this.keys.push('-');
        this.#note({ kind: 'timeout', menu: happening.menu });
        return;
      case 'led': {
        const { menu, port, to } = happening;
        const by = port.kind === 'silence' ? 'timeout' : port.kind;
        const where = to.kind === 'menu' ? { menu: to.menu } : { destination: to.destination };
        this.#note({ kind: 'led', menu, by, to: where });
        return;
      }
      case 'sms':
        this.#note({ kind: 'sms', menu: happening.menu, template: happening.template });
        // As the exported dialplan does: what comes after may send it.
        if (isPlainId(happening.template))
          await this.#parts.ari().setVariable(this.facts.channel, 'ROTAVOX_SMS_TEMPLATE', happening.template);
        return;
      default:
        unreachable(happening);
    }
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
      playback: this.#playback,
      playbacks: this.#playbacks,
    });
    await this.#parts.ari().setVariable(channel, callVariable, carried);
  }

  /** For a moment, after a sound of so many seconds. */
  async #renew(soundSeconds = 0): Promise<void> {
    const seconds = Math.min(leaseSeconds + soundSeconds, this.#leftOfLimit() ?? Infinity);
    await this.#parts.ari().setVariable(this.facts.channel, absoluteTimeout, String(seconds));
  }

  /** The dialplan goes on with what is left of the site's own limit. */
  async #takeBackLease(): Promise<void> {
    const seconds = this.#leftOfLimit() ?? 0;
    await this.#parts.ari().setVariable(this.facts.channel, absoluteTimeout, String(seconds));
  }

  async #findLimit(isNew: boolean): Promise<void> {
    const { channel, hasDialplan } = this.facts;
    if (!hasDialplan) return;
    const ari = this.#parts.ari();
    if (isNew) await noteSiteLimit(ari, channel);
    this.#limitEndsAt = await readSiteLimit(ari, channel, this.#parts.clock);
  }

  /** In seconds, at least one: 0 would mean that there is no limit. */
  #leftOfLimit(): number | null {
    if (this.#limitEndsAt === null) return null;
    return Math.max(1, Math.round((this.#limitEndsAt - this.#parts.clock()) / 1000));
  }
}

type WithoutTime<M> = M extends CallMoment ? Omit<M, 'at_ms'> : never;
type MomentNow = WithoutTime<CallMoment>;
