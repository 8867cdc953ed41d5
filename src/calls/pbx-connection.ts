import { hash, randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import type { CallEnd, CallFailure, CallId, LiveCall } from '../contract/calls/call.ts';
import type { Pbx, PbxSound, PbxState, PbxTrouble } from '../contract/calls/pbx.ts';
import { callVariable, leaseSeconds } from '../core/calls/asterisk-lines.ts';
import { flowOfStored, readFlow, writeFlow } from '../core/calls/flow-of-stored.ts';
import { nodeName } from '../core/ivr/flow.ts';
import { keptCaller } from '../core/calls/kept-caller.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { routeOf } from '../core/ivr/destination-route.ts';
import type { Flow } from '../core/ivr/flow.ts';
import { outsideRules } from '../core/ivr/outside-number.ts';
import type { Clock } from '../core/ledger.ts';
import type { State } from '../core/state.ts';
import { VaultUnavailable } from '../core/vault.ts';
import type { Outgoing } from '../network/outgoing.ts';
import { AriClient } from './ari-client.ts';
import { type AriChannel, AriError, type AriEvent } from './ari-port.ts';
import type { CallLog, CallUnderWay } from './call-log.ts';
import { isStateOf, readCarried } from './call-state.ts';
import { countOutsideCall } from './outside-limit.ts';
import type { PromptAddresses } from './prompts.ts';
import type { Timer } from './call-timer.ts';
import { type CallFacts, type ResumedCall, RunningCall } from './run-call.ts';
import { ToldSwitches } from './told-switches.ts';

export interface ConnectionParts {
  readonly state: State;
  readonly log: CallLog;
  readonly prompts: PromptAddresses;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The password; null when the vault has none. Rejects with `VaultUnavailable`. */
  readonly password: () => Promise<string | null>;
  readonly outgoing?: Outgoing | undefined;
  /** The state of the connection changed. */
  readonly onState: () => void;
  readonly onChange: (call: LiveCall) => void;
  readonly onEnded: (id: CallId) => void;
  /** A bug. */
  readonly onFailure: (error: unknown) => void;
}

/** More calls at once than this go to their fallback immediately, so that those in menus are answered in time. */
const mostCalls = 400;
const oldestVersion = 18;
const signName = 'rotavox-alive';
const signEveryMs = 10_000;
const tickMs = 250;
const ticksPerLease = 20;
const firstRetryMs = 500;
const longestRetryMs = 30_000;
/** How soon it is tried again when only a person can repair it. */
const slowRetryMs = 60_000;
/** After this time without a connection, every call has been taken by its fallback. */
const allLostMs = (leaseSeconds + 5) * 1000;
/** How long a channel may be listed before the event of its arrival comes. */
const arrivalMs = 1_000;
const ringSeconds = 45;

/** A draft or a stored menu that is to be heard on a phone. */
export type RingWanted = Pick<CallFacts, 'flow' | 'ivr' | 'draft'>;

/**
 * The connection to one telephone system, and its calls.
 *
 * Connects, and connects again when it breaks; then it finds the calls that are still there and continues them, those of an
 * earlier start of the program too. Calls that are out of reach wait in memory until their lease is over.
 */
export class PbxConnection {
  #pbx: Pbx;
  readonly #parts: ConnectionParts;
  readonly #switches: ToldSwitches;
  /** By channel. */
  readonly #calls = new Map<string, RunningCall>();
  /** The channel of each, by its own id. */
  readonly #channels = new Map<string, string>();
  /** Phones that ring, by call. */
  readonly #ringing = new Map<string, RingWanted & { readonly endpoint: string }>();
  /** Flows that are in the log, by their hash. */
  readonly #savedFlows = new Set<string>();
  #state: PbxState = { status: 'connecting' };
  #client: AriClient | null = null;
  #events: { close(): void } | null = null;
  #failures = 0;
  /** Only the last attempt may connect. */
  #attempt = 0;
  #isClosed = false;
  #isAnswered = true;
  #stopRetry: () => void = () => undefined;
  #stopSigns: () => void = () => undefined;
  #stopTicks: (() => void) | null = null;
  #stopLosing: () => void = () => undefined;
  #tick = 0;
  readonly #dueTick = new Map<RunningCall, number>();
  /** Calls to outside numbers are counted one by one. */
  readonly #oneByOne = pLimit(1);

  constructor(pbx: Pbx, parts: ConnectionParts) {
    this.#pbx = pbx;
    this.#parts = parts;
    this.#switches = new ToldSwitches(() => this.#parts.state.schedules.values());
  }

  get state(): PbxState {
    return this.#state;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  live(): LiveCall[] {
    return [...this.#calls.values()].flatMap((call) => call.live() ?? []);
  }

  start(): void {
    void this.#connect();
  }

  /** Tries at once what waits for its next try. */
  wake(): void {
    if (this.#state.status === 'unreachable' && this.#state.next_try_at !== null) this.tryAgain();
  }

  /** Also what waits for a person. */
  tryAgain(): void {
    if (this.#isClosed || this.#state.status !== 'unreachable') return;
    this.#stopRetry();
    this.#failures = 0;
    void this.#connect();
  }

  /** Goes on with other settings; calls under way continue. */
  change(pbx: Pbx, isOtherLogin: boolean): void {
    this.#pbx = pbx;
    if (!isOtherLogin) return;
    const client = this.#client;
    this.#disconnect();
    void client?.close();
    this.#failures = 0;
    this.#setState({ status: 'connecting' });
    void this.#connect();
  }

  /** Calls under way go to their fallback when their lease is over, unless the program is back before. */
  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.letGo();
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLosing();
    const client = this.#client;
    this.#disconnect();
    await client?.close();
  }

  /** Gives every call to its fallback now, and closes: the telephone system is removed. */
  async giveUp(): Promise<void> {
    const calls = [...this.#calls.values()];
    for (const call of calls) call.giveBack('fallback');
    await this.#close();
    for (const call of calls) call.abandon('fallback');
  }

  /** Whether the telephone system has a sound of this name; null when it cannot tell, or does not answer. */
  hasSound(name: string): Promise<boolean | null> {
    return this.#orUnknown((client) => client.hasSound(name));
  }

  /** Null: it is not connected, or cannot tell. */
  sounds(): Promise<PbxSound[] | null> {
    return this.#orUnknown((client) => client.sounds());
  }

  async #orUnknown<T>(ask: (client: AriClient) => Promise<T>): Promise<T | null> {
    if (this.#client === null || this.#state.status !== 'connected') return null;
    try {
      return await ask(this.#client);
    } catch (error) {
      if (error instanceof AriError) return null;
      throw error;
    }
  }

  /** Tells the telephone system what is set by hand, for its exported menus. Does nothing without a connection: the next one does. */
  tellSwitches(): void {
    this.#switches.tell().catch((error: unknown) => {
      if (!(error instanceof AriError)) this.#parts.onFailure(error);
    });
  }

  /** Rings a phone, and runs a flow on it when it is answered. Rejects with `AriError`. */
  async ring(endpoint: string, wanted: RingWanted): Promise<CallId> {
    const client = this.#client;
    if (client === null || this.#state.status !== 'connected') throw new AriError('not_reached', 'offline');
    const id = newCallId();
    this.#ringing.set(id, { ...wanted, endpoint });
    try {
      await client.originate(id, endpoint, `ring,${id}`, ringSeconds);
      return id;
    } catch (error) {
      this.#ringing.delete(id);
      throw error;
    }
  }

  async #connect(): Promise<void> {
    this.#stopRetry();
    this.#attempt += 1;
    const attempt = this.#attempt;
    let client: AriClient | null = null;
    try {
      const password = await this.#parts.password();
      if (password === null) throw new AriError('no_password', '');
      const { url, user } = this.#pbx;
      client = new AriClient({ url, user, password, outgoing: this.#parts.outgoing });
      const version = await client.version();
      if (Number.parseInt(version, 10) < oldestVersion) throw new AriError('too_old', version);
      const own = client;
      if (this.#isOver(attempt)) {
        // It would end the connection of a host that has taken over meanwhile.
        await own.close();
        return;
      }
      const events = await own.openEvents({
        onEvent: (event) => this.#onEvent(event),
        onEnd: () => this.#broken(own, { code: 'not_reached', detail: 'disconnected' }),
      });
      if (this.#isOver(attempt)) {
        events.close();
        await own.close();
        return;
      }
      this.#client = own;
      this.#events = events;
      await this.#ready(own, version);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) this.#parts.onFailure(error);
      if (this.#client === client) this.#disconnect();
      await client?.close();
      if (this.#attempt === attempt) this.#retry(trouble ?? { code: 'failed', detail: 'internal' });
    }
  }

  #isOver(attempt: number): boolean {
    return this.#isClosed || this.#attempt !== attempt;
  }

  async #ready(client: AriClient, version: string): Promise<void> {
    await client.filterEvents();
    await client.sendSign(signName);
    this.#failures = 0;
    this.#isAnswered = true;
    this.#stopLosing();
    await this.#reconcile(client);
    this.#setState({ status: 'connected', since: isoInstant(this.#parts.clock()), version });
    this.#watch(client);
    this.#switches.connected((name, value) => client.setGlobal(name, value));
    this.tellSwitches();
    if (this.#calls.size > 0) this.#startTicks();
  }

  /** Sends a sign of life through both: the request over HTTP, and its event over the WebSocket. */
  #watch(client: AriClient): void {
    this.#stopSigns = this.#parts.timer.start(signEveryMs, () => {
      if (!this.#isAnswered) {
        this.#broken(client, { code: 'not_reached', detail: 'no_sign' });
        return;
      }
      this.#isAnswered = false;
      client.sendSign(signName).catch((error: unknown) => {
        this.#broken(client, troubleOf(error) ?? { code: 'failed', detail: '' });
      });
      // What it refused or did not get the last time.
      this.tellSwitches();
      this.#watch(client);
    });
  }

  #broken(client: AriClient, trouble: PbxTrouble): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#disconnect();
    void client.close();
    this.#retry(trouble);
  }

  #disconnect(): void {
    this.#stopRetry();
    this.#stopSigns();
    this.#stopTicks?.();
    this.#stopTicks = null;
    this.#events?.close();
    this.#events = null;
    this.#client = null;
    this.#switches.connected(null);
  }

  #retry(trouble: PbxTrouble): void {
    if (this.#isClosed) return;
    this.#stopRetry();
    const { clock, timer } = this.#parts;
    const since = this.#state.status === 'unreachable' ? this.#state.since : isoInstant(clock());
    if (trouble.code === 'taken_over' || (trouble.code === 'no_password' && trouble.detail === '')) {
      this.#setState({ status: 'unreachable', since, trouble, next_try_at: null });
      for (const call of this.#calls.values()) call.abandon('lost');
      return;
    }
    if (this.#failures === 0 && this.#calls.size > 0) {
      this.#stopLosing = timer.start(allLostMs, () => {
        for (const call of this.#calls.values()) call.abandon('lost');
      });
    }
    const isPatient = trouble.code !== 'not_reached';
    const fullMs = isPatient
      ? slowRetryMs
      : Math.min(firstRetryMs * 2 ** Math.min(this.#failures, 10), longestRetryMs);
    // Half of it at random, so that several programs do not come at once.
    const waitMs = fullMs / 2 + (fullMs / 2) * Math.random();
    this.#failures += 1;
    this.#stopRetry = timer.start(waitMs, () => void this.#connect());
    const next_try_at = isoInstant(clock() + waitMs);
    this.#setState({ status: 'unreachable', since, trouble, next_try_at });
  }

  #setState(state: PbxState): void {
    this.#state = state;
    this.#parts.onState();
  }

  #onEvent(event: AriEvent): void {
    switch (event.type) {
      case 'StasisStart':
        this.#arrived(event.channel, event.args).catch(this.#parts.onFailure);
        return;
      case 'StasisEnd':
        this.#calls.get(event.channel.id)?.left();
        return;
      case 'ChannelHangupRequest':
        this.#calls.get(event.channel.id)?.hangupRequested();
        return;
      case 'ChannelDestroyed':
        this.#ringing.delete(event.channel.id);
        this.#calls.get(event.channel.id)?.hangupRequested();
        this.#calls.get(event.channel.id)?.left();
        return;
      case 'ChannelDtmfReceived':
        this.#calls.get(event.channel.id)?.pressed(event.digit);
        return;
      case 'PlaybackFinished': {
        const { id, state } = event.playback;
        const callId = id.slice(0, id.lastIndexOf('.'));
        for (const call of this.#byId(callId)) call.played(id, state);
        return;
      }
      case 'ChannelUserevent':
        if (event.eventname === signName) this.#isAnswered = true;
        return;
      case 'ApplicationReplaced':
        if (this.#client !== null) this.#broken(this.#client, { code: 'taken_over', detail: '' });
        return;
    }
  }

  #byId(id: string): RunningCall[] {
    const channel = this.#channels.get(id);
    const call = channel === undefined ? undefined : this.#calls.get(channel);
    return call === undefined ? [] : [call];
  }

  async #arrived(channel: AriChannel, args: readonly string[]): Promise<void> {
    const client = this.#client;
    if (client === null || this.#calls.has(channel.id)) return;
    const [first = '', ringId = ''] = args;
    if (first === 'ring') {
      const ringing = this.#ringing.get(ringId);
      this.#ringing.delete(ringId);
      if (ringing === undefined) await ignoringGone(client.hangUp(channel.id));
      else this.#begin(channel, { ...ringing, id: ringId as CallId, number: ringing.endpoint }, false);
      return;
    }
    const { state } = this.#parts;
    const number = channel.caller.number;
    const flow = this.#calls.size >= mostCalls ? null : flowOfStored(state.ivrs, first, state);
    if (flow !== null) {
      this.#begin(channel, { flow, ivr: first, draft: null, id: newCallId(), number }, true);
      return;
    }
    const reason: CallFailure = this.#calls.size >= mostCalls ? 'too_many' : 'no_such_menu';
    this.#recordRefused(first, number, reason);
    await ignoringGone(client.continueAt(channel.id, null));
  }

  #begin(
    channel: AriChannel,
    { flow, ivr, draft, id, number }: RingWanted & { readonly id: CallId; readonly number: string },
    hasDialplan: boolean,
  ): void {
    const { log, clock, state } = this.#parts;
    const text = writeFlow(flow);
    const flowHash = hash('sha256', text, 'base64url');
    if (!this.#savedFlows.has(flowHash)) {
      log.keepFlow(flowHash, text);
      this.#savedFlows.add(flowHash);
    }
    const facts: CallFacts = {
      id,
      channel: channel.id,
      pbx: this.#pbx.name,
      ivr,
      draft,
      caller: keptCaller(number, state.settings.call_records_caller),
      started_at: isoInstant(clock()),
      menu_names: namesIn(flow),
      flow,
      flowHash,
      hasDialplan,
    };
    this.#add(facts, null).start();
  }

  #add(facts: CallFacts, resumed: ResumedCall | null): RunningCall {
    const { state, prompts, log, clock, timer, onChange, onFailure } = this.#parts;
    // A call outlives connections.
    const ari = (): AriClient => {
      if (this.#client === null) throw new AriError('not_reached', 'offline');
      return this.#client;
    };
    const call = new RunningCall(
      facts,
      {
        ari,
        prompts: prompts.at(() => this.#pbx.url),
        log,
        clock,
        timer,
        routeTo: (destination) => routeOf(destination, this.#pbx.destinations, outsideRules(state.settings)),
        countOutside: (channel) =>
          this.#oneByOne(() => countOutsideCall(ari(), channel, outsideRules(state.settings).perHour)),
        switches: { get: (id) => state.schedules.get(id)?.switch },
        onChange: (changed) => {
          const live = changed.live();
          if (live !== null) onChange(live);
        },
        onEnd: (ended, end) => this.#ended(ended, end),
        onFailure,
      },
      resumed,
    );
    this.#calls.set(facts.channel, call);
    this.#channels.set(facts.id, facts.channel);
    // Spread over the time of a lease, also when many are resumed at once.
    this.#dueTick.set(call, this.#tick + 1 + Math.floor(Math.random() * ticksPerLease));
    if (this.#client !== null) this.#startTicks();
    return call;
  }

  #ended(call: RunningCall, end: CallEnd): void {
    const { log, clock, onEnded } = this.#parts;
    this.#calls.delete(call.facts.channel);
    this.#channels.delete(call.facts.id);
    this.#dueTick.delete(call);
    log.save({
      ...recordOf(call.facts),
      keys: call.keys,
      moments: call.moments,
      ended_at: isoInstant(clock()),
      end,
    });
    onEnded(call.facts.id);
  }

  #recordRefused(ivr: string, number: string, reason: CallFailure): void {
    const { log, clock, state, onEnded } = this.#parts;
    const at = isoInstant(clock());
    const id = newCallId();
    const caller = keptCaller(number, state.settings.call_records_caller);
    log.save({
      ...{ id, pbx: this.#pbx.name, ivr: ivr.slice(0, 200), draft: null, caller },
      ...{ started_at: at, ended_at: at, keys: [], moments: [], menu_names: {} },
      end: { kind: 'failed', reason },
    });
    onEnded(id);
  }

  /** One timer for the leases of all calls. */
  #startTicks(): void {
    if (this.#stopTicks !== null) return;
    const { timer } = this.#parts;
    const tick = (): void => {
      this.#tick += 1;
      for (const [call, due] of this.#dueTick) {
        if (due > this.#tick) continue;
        this.#dueTick.set(call, this.#tick + ticksPerLease);
        call.renewLease();
      }
      this.#stopTicks = this.#calls.size === 0 ? null : timer.start(tickMs, tick);
    };
    this.#stopTicks = timer.start(tickMs, tick);
  }

  /** Finds out, after a connection was made, which calls are still there. */
  async #reconcile(client: AriClient): Promise<void> {
    const channels = new Set(await client.channels());
    for (const [channel, call] of [...this.#calls]) {
      if (channels.has(channel)) call.resume();
      else call.abandon((await client.exists(channel)) ? 'fallback' : 'lost');
    }
    const { log, clock } = this.#parts;
    const underWay = await log.underWay();
    await Promise.all(
      [...channels]
        .filter((channel) => !this.#calls.has(channel))
        .map((channel) => this.#takeUp(client, channel, underWay)),
    );
    for (const { channel, flow: _flow, state: _state, ...call } of underWay) {
      if (call.pbx !== this.#pbx.name || this.#channels.has(call.id)) continue;
      const isThere = await client.exists(channel);
      const end: CallEnd = { kind: 'failed', reason: isThere ? 'fallback' : 'lost' };
      log.save({ ...call, ended_at: isoInstant(clock()), end });
      this.#parts.onEnded(call.id);
    }
  }

  /** Continues a call of an earlier start, or gives it back to the dialplan. */
  async #takeUp(client: AriClient, channel: string, underWay: readonly CallUnderWay[]): Promise<void> {
    const text = await client.readVariable(channel, callVariable);
    const carried = text === null ? null : readCarried(text);
    if (carried === null) {
      // It may be arriving just now.
      this.#parts.timer.start(arrivalMs, () => {
        if (this.#calls.has(channel)) return;
        ignoringGone(client.continueAt(channel, null)).catch(this.#parts.onFailure);
      });
      return;
    }
    const flowText = await this.#parts.log.flow(carried.flow);
    // Whoever can write to the database of a team must not decide whom a caller is connected with.
    const isWhole = flowText !== null && hash('sha256', flowText, 'base64url') === carried.flow;
    const flow = isWhole ? readFlow(flowText) : null;
    if (flow === null || !isStateOf(flow, carried.state)) {
      await ignoringGone(client.continueAt(channel, null));
      return;
    }
    const { id, ivr, draft, started_at } = carried;
    const known = underWay.find((one) => one.id === id);
    const { caller = null, keys = [], moments = [] } = known ?? {};
    const hasDialplan = id !== channel; // a phone that we rang has the id of its call
    const facts: CallFacts = {
      ...{ id: id as CallId, channel, pbx: this.#pbx.name, ivr, draft, caller, started_at },
      ...{ menu_names: namesIn(flow), flow, flowHash: carried.flow, hasDialplan },
    };
    this.#add(facts, { carried, keys, moments }).resume();
  }
}

/** Null for a bug. */
export function troubleOf(error: unknown): PbxTrouble | null {
  if (error instanceof AriError) {
    const { code, detail } = error;
    return { code: code === 'gone' ? 'failed' : code, detail };
  }
  if (error instanceof VaultUnavailable) return { code: 'no_password', detail: error.code };
  return null;
}

async function ignoringGone(asked: Promise<void>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof AriError)) throw error;
  }
}

function namesIn(flow: Flow): Record<string, string> {
  return Object.fromEntries(
    [...flow.menus.keys(), ...flow.hours.keys(), ...flow.messages.keys()].map((id) => [
      id,
      nodeName(flow, id),
    ]),
  );
}

/** What of a call is in its record. */
function recordOf({ id, pbx, ivr, draft, caller, started_at, menu_names }: CallFacts) {
  return { id, pbx, ivr, draft, caller, started_at, menu_names };
}

function newCallId(): CallId {
  return `call_${randomBytes(9).toString('hex')}` as CallId;
}
