import type { CallHappening, CallPort, FlowTarget, Prompt } from '../../../contract/menu/ivr-call.ts';
import type { NodeId } from '../../../contract/menu/ivr-draft.ts';
import { invariant, unreachable } from '../../unreachable.ts';
import type { Flow, FlowMenu } from '../flow.ts';

type Playing = Extract<CallState, { kind: 'playing' }>;
type Counters = Pick<Playing, 'wrongKeys' | 'timeouts'>;

const unused: Counters = { wrongKeys: 0, timeouts: 0 };

/** A call arrives: the first menu starts to play. */
export function startCall(flow: Flow): CallStep {
  return enter(flow, flow.start);
}

/**
 * The state of a call after an input, and what happened.
 *
 * Total: every input is accepted in every state. An input without a meaning changes nothing: a timeout while a prompt
 * plays, the end of a prompt while none plays, a key during the last prompt before leaving the menu, any input after
 * the call has ended. The state must come from the same flow.
 */
export function step(flow: Flow, state: CallState, input: CallInput): CallStep {
  if (state.kind === 'ended') return { state, happenings: [] };
  switch (input.kind) {
    case 'key':
      return state.kind === 'playing' && state.then !== null
        ? { state, happenings: [] }
        : press(flow, menuOf(flow, state.menu), state, input.key);
    case 'silence':
      return state.kind === 'waiting' ? timeOut(menuOf(flow, state.menu), state) : { state, happenings: [] };
    case 'prompt_ended':
      return state.kind === 'playing' ? playOn(flow, state) : { state, happenings: [] };
    default:
      return unreachable(input);
  }
}

function press(flow: Flow, menu: FlowMenu, { wrongKeys, timeouts }: Counters, key: string): CallStep {
  const chosen = menu.keys.get(key);
  const pressed = { kind: 'key', menu: menu.id, key, used: chosen !== undefined } as const;
  if (chosen !== undefined) {
    const { to, smsTemplate } = chosen;
    const sms = smsTemplate === null ? [] : [{ kind: 'sms', menu: menu.id, template: smsTemplate } as const];
    return after([pressed, ...sms], lead(flow, menu.id, { kind: 'key', key }, to));
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

function playOn(flow: Flow, { menu, prompts, wrongKeys, timeouts, then }: Playing): CallStep {
  const [over, next, ...rest] = prompts;
  const counters = { wrongKeys, timeouts };
  if (next !== undefined) return play(menu, [next, ...rest], counters, then);
  if (then !== null) {
    const port = { kind: over.cause === 'wrong_key' ? 'wrong_key' : 'silence' } as const;
    return lead(flow, menu, port, then);
  }
  return {
    state: { kind: 'waiting', menu, ...counters },
    happenings: [{ kind: 'waiting', menu, seconds: menuOf(flow, menu).timeoutSeconds }],
  };
}

function lead(flow: Flow, menu: NodeId, port: CallPort, to: FlowTarget): CallStep {
  const led: CallHappening = { kind: 'led', menu, port, to };
  return to.kind === 'menu'
    ? after([led], enter(flow, to.menu))
    : { state: { kind: 'ended', destination: to.destination, node: to.node }, happenings: [led] };
}

/** Also when the call stays in the same menu: its counters start again. */
function enter(flow: Flow, id: NodeId): CallStep {
  const menu = menuOf(flow, id);
  return after([{ kind: 'entered', menu: id }], play(id, [menuPrompt(menu)], unused, null));
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

/**
 * What a caller or the clock does. `silence`: the menu's timeout is over. `prompt_ended`: a prompt was played to its
 * end.
 */
export type CallInput =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'prompt_ended' };

/** The state of a call. Both counters belong to the current menu and start again with each menu. */
export type CallState =
  | {
      readonly kind: 'playing';
      readonly menu: NodeId;
      /** The first one plays; the others follow. */
      readonly prompts: readonly [Prompt, ...Prompt[]];
      readonly wrongKeys: number;
      readonly timeouts: number;
      /** Where the call goes after the last prompt; null: it waits for a key. */
      readonly then: FlowTarget | null;
    }
  | { readonly kind: 'waiting'; readonly menu: NodeId; readonly wrongKeys: number; readonly timeouts: number }
  | { readonly kind: 'ended'; readonly destination: string; readonly node: NodeId | null };

export interface CallStep {
  readonly state: CallState;
  readonly happenings: readonly CallHappening[];
}
