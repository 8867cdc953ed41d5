import type { Scenario, ScenarioEnd, ScenarioId, ScenarioInput } from '../../../contract/menu/ivr-draft.ts';
import { invariant } from '../../unreachable.ts';
import type { Flow } from '../flow.ts';
import type { CallHappening } from '../../../contract/menu/ivr-call.ts';
import type { IvrProblemParams, ScenarioPlace } from '../../../contract/menu/ivr-problem.ts';
import { isSameReference } from '../../../contract/menu/ivr-reference.ts';
import { type CallInput, type CallState, type CallStep, startCall, step } from './step.ts';

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

export function runScenario(flow: Flow, scenario: Scenario): ScenarioRun {
  const { state, happenings, ignored } = runInputs(flow, scenario.inputs);
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

function endOf(state: CallState): ScenarioEnd {
  invariant(state.kind !== 'playing', 'inputs are run until nothing plays any more');
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
  /** The call waits or has ended: pending prompts are played to their end. */
  readonly state: CallState;
  readonly happenings: readonly CallHappening[];
  /** How many inputs came after the call had ended. */
  readonly ignored: number;
}

/** Runs a call from its beginning. Each input is given while a menu waits. */
export function runInputs(flow: Flow, inputs: readonly ScenarioInput[]): InputsRun {
  const happenings: CallHappening[] = [];
  let state = hear(startCall(flow));
  let ignored = 0;
  for (const input of inputs) {
    if (state.kind === 'ended') ignored += 1;
    else state = hear(step(flow, state, callInput(input)));
  }
  return { state, happenings, ignored };

  /** Takes a step and finishes the prompts that follow: at most two, and one of the next menu. */
  function hear(taken: CallStep): CallState {
    let { state: reached } = taken;
    happenings.push(...taken.happenings);
    while (reached.kind === 'playing') {
      const next = step(flow, reached, { kind: 'prompt_ended' });
      happenings.push(...next.happenings);
      reached = next.state;
    }
    return reached;
  }
}

function callInput(input: ScenarioInput): CallInput {
  return input === '-' ? { kind: 'silence' } : { kind: 'key', key: input };
}
