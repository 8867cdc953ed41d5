import type { Scenario, ScenarioEnd, ScenarioId } from '../../../contract/ivr-draft.ts';
import { invariant } from '../../unreachable.ts';
import type { CallHappening, CallState } from './call-state.ts';
import type { Flow } from '../flow.ts';
import { quoted } from '../quoted.ts';
import { referenceWords } from '../reference-words.ts';
import { isSameReference } from '../reference.ts';
import { runInputs } from './run-inputs.ts';

export interface ScenarioRun {
  readonly scenario: ScenarioId;
  readonly passed: boolean;
  readonly came: ScenarioEnd;
  /** What was expected and what came; null when it passed. */
  readonly message: string | null;
  readonly happenings: readonly CallHappening[];
  /** How many inputs came after the call had left. They decide nothing: what counts is where it came out. */
  readonly ignored: number;
}

export function runScenario(flow: Flow, scenario: Scenario): ScenarioRun {
  const { state, happenings, ignored } = runInputs(flow, scenario.inputs);
  const came = endOf(state);
  const passed = isSameEnd(came, scenario.expected);
  const message = passed
    ? null
    : `${quoted(scenario.name)} should ${expectedWords(flow, scenario.expected)}, ` +
      `but ${came.kind === 'menu' ? 'it still waits in' : 'it came to'} ${placeWords(flow, came)}. ` +
      'Change the drawing or what the scenario expects.';
  return { scenario: scenario.id, passed, came, message, happenings, ignored };
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

function expectedWords(flow: Flow, end: ScenarioEnd): string {
  return `${end.kind === 'menu' ? 'wait in' : 'come to'} ${placeWords(flow, end)}`;
}

function placeWords(flow: Flow, end: ScenarioEnd): string {
  if (end.kind === 'destination') return referenceWords(end.destination);
  const menu = flow.menus.get(end.menu);
  return menu === undefined ? 'a menu that is not there any more' : quoted(menu.name);
}
