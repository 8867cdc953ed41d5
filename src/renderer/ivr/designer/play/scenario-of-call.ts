import {
  draftBounds,
  type IvrDocument,
  type Scenario,
  type ScenarioEnd,
  type ScenarioInput,
} from '../../../../contract/ivr-draft.ts';
import { freeScenarioId } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { runInputs } from '../../../../core/ivr/call/run-scenario.ts';

/** Where inputs come out: once everything that plays is over. */
export function comesOutAt(flow: Flow, inputs: readonly ScenarioInput[]): ScenarioEnd {
  const { state } = runInputs(flow, inputs);
  return state.kind === 'ended'
    ? { kind: 'destination', destination: state.destination }
    : { kind: 'menu', menu: state.menu };
}

/** What was just done, as a scenario that expects what came of it; null when it is longer than a scenario may be. */
export function scenarioOfCall(
  document: IvrDocument,
  flow: Flow,
  { name, inputs }: { readonly name: string; readonly inputs: readonly ScenarioInput[] },
): Scenario | null {
  if (inputs.length > draftBounds.inputs) return null;
  return {
    id: freeScenarioId(document),
    name: name.trim().slice(0, 100) || 'Scenario',
    inputs: [...inputs],
    expected: comesOutAt(flow, inputs),
  };
}
