import type { IvrDocument, Scenario, ScenarioId } from '../../../contract/ivr-draft.ts';

/** Puts a scenario into the document, in the place of one with the same id. */
export function putScenario(document: IvrDocument, scenario: Scenario): IvrDocument {
  return { ...document, scenarios: { ...document.scenarios, [scenario.id]: scenario } };
}

export function removeScenario(document: IvrDocument, id: ScenarioId): IvrDocument {
  const scenarios = Object.fromEntries(Object.entries(document.scenarios).filter(([other]) => other !== id));
  return { ...document, scenarios };
}

export function freeScenarioId(document: IvrDocument): ScenarioId {
  let number = 1;
  while (`scenario${number}` in document.scenarios) number += 1;
  return `scenario${number}` as ScenarioId;
}
