import type { CallHappening, CallPort, FlowTarget, Prompt } from '../../../contract/menu/ivr-call.ts';
import type { NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { ScheduleId, ScheduleSwitch } from '../../../contract/menu/schedule.ts';
import { explainHours } from '../../schedule/hours-at.ts';
import { invariant, unreachable } from '../../unreachable.ts';
import { type Flow, type FlowHours, type FlowMenu, nodeLedTo } from '../flow.ts';
import { digitSeconds, isDialable, isEntry, longerEntry, takesDigits } from './dialable.ts';

type Playing = Extract<CallState, { kind: 'playing' }>;
type InMenu = Exclude<CallState, { kind: 'ended' }>;
type Counters = Pick<Playing, 'wrongKeys' | 'timeouts'>;

const unused: Counters = { wrongKeys: 0, timeouts: 0 };

/** When something happens in a call, and what is set by hand then. */
export interface CallTime {
  readonly at: number;
  readonly switches: { get(id: ScheduleId): ScheduleSwitch | undefined };
}

/** A call arrives: the first menu starts to play. */
export function startCall(flow: Flow, now: CallTime): CallStep {
  return enter(flow, flow.start, now);
}

/**
 * The state of a call after an input, and what happened.
 *
 * Total: every input is accepted in every state. An input without a meaning changes nothing: a timeout while a prompt
 * plays, the end of a prompt while none plays, a key during the last prompt before leaving the menu or during a message, any
 * input after the call has ended. The state must come from the same flow. Opening hours are asked when the call comes to them,
 * with the switch as it is then.
 */
export function step(flow: Flow, state: CallState, input: CallInput, now: CallTime): CallStep {
  if (state.kind === 'ended') return { state, happenings: [] };
  switch (input.kind) {
    case 'key':
      return state.kind === 'playing' && state.then !== null
        ? { state, happenings: [] }
        : press(flow, state, input.key, now);
    case 'digits_ended':
      return state.kind === 'collecting' ? choose(flow, state, state.digits, now) : { state, happenings: [] };
    case 'silence':
      return state.kind === 'waiting' ? timeOut(menuOf(flow, state.menu), state) : { state, happenings: [] };
    case 'prompt_ended':
      return state.kind === 'playing' ? playOn(flow, state, now) : { state, happenings: [] };
    default:
      return unreachable(input);
  }
}

/** How many digits are remembered of a number that is longer than any entry. */
const longestDialled = 20;

/**
 * A key: at once where it completes an entry and no longer one begins with it; otherwise it waits for the next digit.
 *
 * In a menu that takes several digits, those that begin no entry are waited for, too: a number that is not allowed is one wrong key,
 * however long it is. `#` ends a number where it is no key of the menu.
 */
function press(flow: Flow, state: InMenu, key: string, now: CallTime): CallStep {
  const menu = menuOf(flow, state.menu);
  const before = state.kind === 'collecting' ? state.digits : '';
  if (!takesDigits(menu)) return choose(flow, state, key, now);
  if (key === '#' && !menu.keys.has(key)) return choose(flow, state, before === '' ? key : before, now);
  const digits = `${before}${key}`.slice(0, longestDialled);
  if (isEntry(menu, flow.extensions, digits) && longerEntry(menu, flow.extensions, digits) === null)
    return choose(flow, state, digits, now);
  const { wrongKeys, timeouts } = state;
  return {
    state: { kind: 'collecting', menu: menu.id, digits, wrongKeys, timeouts },
    happenings: [{ kind: 'digits', menu: menu.id, digits, seconds: digitSeconds(menu) }],
  };
}

/** What a caller entered is complete. A key of the menu goes before a number that is the same. */
function choose(flow: Flow, state: InMenu, key: string, now: CallTime): CallStep {
  const menu = menuOf(flow, state.menu);
  const { wrongKeys, timeouts } = state;
  const chosen = menu.keys.get(key);
  const isNumber = chosen === undefined && isDialable(menu, flow.extensions, key);
  const pressed = { kind: 'key', menu: menu.id, key, used: chosen !== undefined || isNumber } as const;
  if (chosen !== undefined) {
    const { to, smsTemplate } = chosen;
    const sms = smsTemplate === null ? [] : [{ kind: 'sms', menu: menu.id, template: smsTemplate } as const];
    return after([pressed, ...sms], lead(flow, menu.id, { kind: 'key', key }, to, now));
  }
  if (isNumber) {
    const to = { kind: 'destination', destination: `extension||${key}`, node: null } as const;
    return after([pressed], lead(flow, menu.id, { kind: 'number', number: key }, to, now));
  }
  const { recording, retries, to } = menu.wrongKey;
  const prompt: Prompt = { recording, cause: 'wrong_key' };
  return after(
    [pressed],
    wrongKeys < retries
      ? play(menu.id, [prompt, menuPrompt(menu)], { wrongKeys: wrongKeys + 1, timeouts }, null)
      : play(menu.id, [prompt], { wrongKeys, timeouts }, to),
  );
}

function timeOut(menu: FlowMenu, { wrongKeys, timeouts }: Counters): CallStep {
  const { retryRecording, lastRecording, retries, to } = menu.timeout;
  return after(
    [{ kind: 'silence', menu: menu.id }],
    timeouts < retries
      ? play(
          menu.id,
          [{ recording: retryRecording, cause: 'silence_retry' }, menuPrompt(menu)],
          { wrongKeys, timeouts: timeouts + 1 },
          null,
        )
      : play(menu.id, [{ recording: lastRecording, cause: 'silence_last' }], { wrongKeys, timeouts }, to),
  );
}

function playOn(flow: Flow, { menu, prompts, wrongKeys, timeouts, then }: Playing, now: CallTime): CallStep {
  const [over, next, ...rest] = prompts;
  const counters = { wrongKeys, timeouts };
  if (next !== undefined) return play(menu, [next, ...rest], counters, then);
  if (then !== null) return lead(flow, menu, portAfter(over), then, now);
  return {
    state: { kind: 'waiting', menu, ...counters },
    happenings: [{ kind: 'waiting', menu, seconds: menuOf(flow, menu).timeoutSeconds }],
  };
}

function portAfter({ cause }: Prompt): CallPort {
  if (cause === 'message') return { kind: 'then' };
  return { kind: cause === 'wrong_key' ? 'wrong_key' : 'silence' };
}

function lead(flow: Flow, menu: NodeId, port: CallPort, to: FlowTarget, now: CallTime): CallStep {
  return after([{ kind: 'led', menu, port, to }], arrive(flow, to, now));
}

function arrive(flow: Flow, to: FlowTarget, now: CallTime): CallStep {
  return to.kind === 'destination'
    ? { state: { kind: 'ended', destination: to.destination, node: to.node }, happenings: [] }
    : enter(flow, nodeLedTo(to), now);
}

/** Also when the call stays in the same menu: its counters start again. */
function enter(flow: Flow, id: NodeId, now: CallTime): CallStep {
  const hours = flow.hours.get(id);
  if (hours !== undefined) return ask(flow, hours, now);
  const message = flow.messages.get(id);
  return after(
    [{ kind: 'entered', menu: id }],
    message === undefined
      ? play(id, [menuPrompt(menuOf(flow, id))], unused, null)
      : play(id, [{ recording: message.recording, cause: 'message' }], unused, message.then),
  );
}

/**
 * Asks opening hours, and all that they lead to, until something else comes.
 *
 * Opening hours that only lead to each other have no answer: the call ends. The checks report it.
 */
function ask(flow: Flow, first: FlowHours, now: CallTime): CallStep {
  const happenings: CallHappening[] = [];
  const asked = new Set<NodeId>();
  for (let hours: FlowHours | undefined = first; ;) {
    const { id: menu, schedule } = hours;
    if (asked.has(menu)) return { state: { kind: 'ended', destination: 'hangup', node: null }, happenings };
    asked.add(menu);
    const by = now.switches.get(schedule.id) ?? ({ to: 'schedule', until: null } as const);
    const { state, reason } = explainHours(schedule, by, now.at);
    const to: FlowTarget = state === 'holiday' ? (hours.holiday ?? hours.closed) : hours[state];
    happenings.push(
      { kind: 'hours', menu, hours: schedule.id, state, reason },
      { kind: 'led', menu, port: { kind: state }, to },
    );
    hours = to.kind === 'hours' ? flow.hours.get(to.node) : undefined;
    if (hours === undefined) return after(happenings, arrive(flow, to, now));
  }
}

function play(
  menu: NodeId,
  prompts: Playing['prompts'],
  counters: Counters,
  then: FlowTarget | null,
): CallStep {
  return {
    state: { kind: 'playing', menu, prompts, ...counters, then },
    happenings: [{ kind: 'playing', menu, prompt: prompts[0] }],
  };
}

function menuPrompt(menu: FlowMenu): Prompt {
  return { recording: menu.recording, cause: 'menu' };
}

function after(before: readonly CallHappening[], { state, happenings }: CallStep): CallStep {
  return { state, happenings: [...before, ...happenings] };
}

function menuOf(flow: Flow, id: NodeId): FlowMenu {
  const menu = flow.menus.get(id);
  invariant(menu !== undefined, 'a flow has every menu that it leads to');
  return menu;
}

/** How long a call waits for a key, or for the next digit, in seconds. */
export function waitSeconds(
  flow: Flow,
  { kind, menu: id }: Extract<CallState, { kind: 'waiting' | 'collecting' }>,
): number {
  const menu = menuOf(flow, id);
  return kind === 'waiting' ? menu.timeoutSeconds : digitSeconds(menu);
}

/**
 * What a caller or the clock does. `silence`: the menu's timeout is over. `digits_ended`: the time for another digit is over.
 * `prompt_ended`: a prompt was played to its end.
 */
export type CallInput =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'digits_ended' }
  | { readonly kind: 'silence' }
  | { readonly kind: 'prompt_ended' };

/** The state of a call. Both counters belong to the current menu and start again with each menu. */
export type CallState =
  | {
      readonly kind: 'playing';
      /** A menu, or a message. */
      readonly menu: NodeId;
      /** The first one plays; the others follow. */
      readonly prompts: readonly [Prompt, ...Prompt[]];
      readonly wrongKeys: number;
      readonly timeouts: number;
      /** Where the call goes after the last prompt; null: it waits for a key. */
      readonly then: FlowTarget | null;
    }
  | { readonly kind: 'waiting'; readonly menu: NodeId; readonly wrongKeys: number; readonly timeouts: number }
  /** It waits for the next digit of an entry (`digitSeconds`). */
  | {
      readonly kind: 'collecting';
      readonly menu: NodeId;
      readonly digits: string;
      readonly wrongKeys: number;
      readonly timeouts: number;
    }
  | { readonly kind: 'ended'; readonly destination: string; readonly node: NodeId | null };

export interface CallStep {
  readonly state: CallState;
  readonly happenings: readonly CallHappening[];
}
