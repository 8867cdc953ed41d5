import {
  draftBounds,
  type IvrDocument,
  type Scenario,
  type ScenarioEnd,
  type ScenarioInput,
} from '../../../../contract/menu/ivr-draft.ts';
import { freeScenarioId } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { runInputs } from '../../../../core/ivr/call/run-scenario.ts';
import { scenarioText } from '../../../../text/menu/test-call.ts';

/** Where a call with these inputs ends, after all prompts. */
export function endOfCall(flow: Flow, inputs: readonly ScenarioInput[]): ScenarioEnd {
  const { state } = runInputs(flow, inputs);
  return state.kind === 'ended'
    ? { kind: 'destination', destination: state.destination }
    : { kind: 'menu', menu: state.menu };
}

/** A call as a scenario that expects the same result; null if it has too many inputs for a scenario. */
export function scenarioOfCall(
  document: IvrDocument,
  flow: Flow,
  { name, inputs }: { readonly name: string; readonly inputs: readonly ScenarioInput[] },
): Scenario | null {
  if (inputs.length > draftBounds.inputs) return null;
  return {
    id: freeScenarioId(document),
    name: name.trim().slice(0, 100) || scenarioText.unnamed,
    inputs: [...inputs],
    expected: endOfCall(flow, inputs),
  };
}
