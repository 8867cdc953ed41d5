import type { Scenario, ScenarioEnd, ScenarioId, ScenarioInput } from '../../../contract/menu/ivr-draft.ts';
import { invariant } from '../../unreachable.ts';
import type { Flow } from '../flow.ts';
import type { CallHappening } from '../../../contract/menu/ivr-call.ts';
import type { IvrProblemParams, ScenarioPlace } from '../../../contract/menu/ivr-problem.ts';
import { isSameReference } from '../../../contract/menu/ivr-reference.ts';
import { instantMs } from '../../iso-instant.ts';
import { type CallInput, type CallState, type CallStep, type CallTime, startCall, step } from './step.ts';

export interface ScenarioRun {
  readonly scenario: ScenarioId;
  readonly passed: boolean;
  readonly came: ScenarioEnd;
  /** The expected and the actual end; null when the scenario passed. */
  readonly failure: IvrProblemParams['scenario_failed'] | null;
  readonly happenings: readonly CallHappening[];
  /** How many inputs came after the call had ended. They do not count as a failure. */
  readonly ignored: number;
}

/** `nowMs`: when the call comes, unless the scenario says it. */
export function runScenario(flow: Flow, scenario: Scenario, nowMs: number): ScenarioRun {
  const { state, happenings, ignored } = runInputs(flow, scenario.inputs, callTimeOf(scenario, nowMs));
  const came = endOf(state);
  const passed = isSameEnd(came, scenario.expected);
  const failure = passed
    ? null
    : {
        scenario: scenario.name,
        expected: placeOf(flow, scenario.expected),
        came: placeOf(flow, came),
      };
  return { scenario: scenario.id, passed, came, failure, happenings, ignored };
}

/** A call that can be made again: what the caller does, when it comes, and what is set by hand then. */
export interface PlannedCall extends Pick<Scenario, 'at' | 'switches'> {
  readonly inputs: readonly ScenarioInput[];
}

/** `nowMs`: when the call comes, unless it is said. */
export function callTimeOf({ at, switches }: Omit<PlannedCall, 'inputs'>, nowMs: number): CallTime {
  const set = new Map(Object.entries(switches ?? {}));
  return { at: at === undefined || at === null ? nowMs : instantMs(at), switches: set };
}

function endOf(state: InputsRun['state']): ScenarioEnd {
  return state.kind === 'waiting'
    ? { kind: 'menu', menu: state.menu }
    : { kind: 'destination', destination: state.destination };
}

function isSameEnd(one: ScenarioEnd, other: ScenarioEnd): boolean {
  if (one.kind === 'menu') return other.kind === 'menu' && one.menu === other.menu;
  return other.kind === 'destination' && isSameReference(one.destination, other.destination);
}

function placeOf({ menus }: Flow, end: ScenarioEnd): ScenarioPlace {
  return end.kind === 'menu' ? { kind: 'menu', menu: menus.get(end.menu)?.name ?? null } : end;
}

export interface InputsRun {
  /** The call waits or has ended: pending prompts are played to their end, and no digit is waited for. */
  readonly state: Extract<CallState, { kind: 'waiting' | 'ended' }>;
  readonly happenings: readonly CallHappening[];
  /** How many inputs came after the call had ended. */
  readonly ignored: number;
}

/** Runs a call from its beginning. Each input is given while a menu waits, at the same instant. */
export function runInputs(flow: Flow, inputs: readonly ScenarioInput[], now: CallTime): InputsRun {
  const happenings: CallHappening[] = [];
  let state = hear(startCall(flow, now));
  let ignored = 0;
  for (const input of inputs) {
    if (state.kind === 'ended') ignored += 1;
    else state = hear(step(flow, state, callInput(state, input), now));
  }
  const end = state.kind === 'collecting' ? hear(step(flow, state, { kind: 'digits_ended' }, now)) : state;
  invariant(end.kind !== 'collecting', 'an entry has ended');
  return { state: end, happenings, ignored };

  /**
   * Takes a step and finishes the prompts that follow: at most two, one of the next menu, and the messages before it. Messages that only
   * lead to each other would never end, so such a caller hangs up.
   */
  function hear(taken: CallStep): Exclude<CallState, { kind: 'playing' }> {
    const most = flow.messages.size + 3;
    let { state: reached } = taken;
    happenings.push(...taken.happenings);
    for (let heard = 0; reached.kind === 'playing'; heard += 1) {
      if (heard > most) return { kind: 'ended', destination: 'hangup', node: null };
      const next = step(flow, reached, { kind: 'prompt_ended' }, now);
      happenings.push(...next.happenings);
      reached = next.state;
    }
    return reached;
  }
}

function callInput(state: CallState, input: ScenarioInput): CallInput {
  if (input !== '-') return { kind: 'key', key: input };
  return { kind: state.kind === 'collecting' ? 'digits_ended' : 'silence' };
}
