import { expect, test } from 'vitest';
import { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { runScenario } from '../../../../src/core/ivr/call/run-scenario.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { changeKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import { moveNodes, putScenario } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { isSameFlow } from '../../../../src/renderer/ivr/designer/play/play-phone.tsx';
import { scenarioOfCall } from '../../../../src/renderer/ivr/designer/play/use-call.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

function flowOf(document: typeof twoMenus) {
  const compiled = compileDraft(document);
  if (!compiled.ok) throw new Error('the fixture compiles');
  return compiled.value;
}
const flow = flowOf(twoMenus);

test.each([[[]], [['2']], [['2', '1']], [['-', '7', '1']]])(
  'a scenario saved of %j passes with the call flow that it was played on',
  (inputs) => {
    const scenario = scenarioOfCall(twoMenus, flow, { name: ' ', inputs });
    expect(scenario).toMatchObject({ name: 'Scenario', inputs });
    expect(scenario !== null && scenario.id in twoMenus.scenarios).toBe(false);
    expect(runScenario(flow, scenario!).passed).toBe(true);
  },
);

test('a second one gets an id of its own, and a call that is too long makes none', () => {
  const first = scenarioOfCall(twoMenus, flow, { name: 'A', inputs: [] })!;
  const second = scenarioOfCall(putScenario(twoMenus, first), flow, { name: 'B', inputs: [] });
  expect(second?.id).not.toBe(first.id);
  expect(scenarioOfCall(twoMenus, flow, { name: 'C', inputs: Array<string>(101).fill('-') })).toBeNull();
});

test('a call flow whose parts were only moved is the same for a caller; one with another key is not', () => {
  const moved = moveNodes(twoMenus, new Map([['sales', { x: 500, y: 9 }]]));
  expect(isSameFlow(flow, flowOf(moved))).toBe(true);
  const other = changeKey(twoMenus, NodeId.parse('reception'), 0, { key: '5' });
  expect(isSameFlow(flow, flowOf(other))).toBe(false);
});
