import { describe, expect, test } from 'vitest';
import { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import {
  callTimeOf,
  type PlannedCall,
  runInputs,
  runScenario,
} from '../../../../src/core/ivr/call/run-scenario.ts';
import { isoInstant } from '../../../../src/core/iso-instant.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { changeKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import { moveNodes, putScenario } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { isSameFlow } from '../../../../src/renderer/ivr/designer/play/play-phone.tsx';
import { repeatableCall, scenarioOfCall } from '../../../../src/renderer/ivr/designer/play/use-call.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';
import { officeDocument, officeHours, officeSources } from '../../../fixtures/office-document.ts';

function flowOf(document: typeof twoMenus) {
  const compiled = compileDraft(document, {});
  if (!compiled.ok) throw new Error('the fixture compiles');
  return compiled.value;
}
const flow = flowOf(twoMenus);

test.each([[[]], [['2']], [['2', '1']], [['-', '7', '1']]])(
  'a scenario saved of %j passes with the call flow that it was played on',
  (inputs) => {
    const scenario = scenarioOfCall(twoMenus, flow, { name: ' ', planned: { inputs } });
    expect(scenario).toMatchObject({ name: 'Scenario', inputs });
    expect(scenario !== null && scenario.id in twoMenus.scenarios).toBe(false);
    expect(runScenario(flow, scenario!, 0).passed).toBe(true);
  },
);

test('a second one gets an id of its own, and a call that is too long makes none', () => {
  const first = scenarioOfCall(twoMenus, flow, { name: 'A', planned: { inputs: [] } })!;
  const second = scenarioOfCall(putScenario(twoMenus, first), flow, { name: 'B', planned: { inputs: [] } });
  expect(second?.id).not.toBe(first.id);
  expect(
    scenarioOfCall(twoMenus, flow, { name: 'C', planned: { inputs: Array<string>(101).fill('-') } }),
  ).toBeNull();
});

test('a call flow whose parts were only moved is the same for a caller; one with another key is not', () => {
  const moved = moveNodes(twoMenus, new Map([['sales', { x: 500, y: 9 }]]));
  expect(isSameFlow(flow, flowOf(moved))).toBe(true);
  const other = changeKey(twoMenus, NodeId.parse('reception'), 0, { key: '5' });
  expect(isSameFlow(flow, flowOf(other))).toBe(false);
});

describe('a call that opening hours lead', () => {
  const compiled = compileDraft(officeDocument, officeSources);
  if (!compiled.ok) throw new Error('the fixture compiles');
  const office = compiled.value;
  const monday = Date.parse('2026-11-30T09:00:00Z');
  const sunday = monday - 86_400_000;

  function saved(planned: PlannedCall, nowMs: number) {
    const time = callTimeOf(planned, nowMs);
    const { happenings } = runInputs(office, planned.inputs, time);
    return scenarioOfCall(officeDocument, office, {
      name: 'A',
      planned: repeatableCall(planned, time, happenings),
    })!;
  }

  test.each([
    ['now, while it is open', {}, monday, { kind: 'menu', menu: 'reception' }],
    ['now, while it is closed', {}, sunday, { kind: 'destination', destination: 'voicemail||100' }],
    [
      'at Christmas',
      { at: '2026-12-25T09:00:00.000Z' },
      monday,
      { kind: 'destination', destination: 'hangup' },
    ],
  ] as const)('%s is saved with its instant, and passes at any time', (_when, timing, nowMs, expected) => {
    const scenario = saved({ inputs: [], ...timing }, nowMs);
    expect(scenario).toMatchObject({ at: 'at' in timing ? timing.at : isoInstant(nowMs), expected });
    expect(scenario).not.toHaveProperty('switches');
    for (const later of [monday, sunday, Date.parse('2030-12-25T09:00:00Z')])
      expect(runScenario(office, scenario, later).passed).toBe(true);
  });

  test('closed by hand is saved with its switch alone, for the instant is of no matter', () => {
    const switches = { [officeHours.id]: { to: 'closed', until: null } } as const;
    const scenario = saved({ inputs: [], switches }, monday);
    expect(scenario).toMatchObject({ switches, expected: { destination: 'voicemail||100' } });
    expect(scenario).not.toHaveProperty('at');
    expect(runScenario(office, scenario, sunday).passed).toBe(true);
  });

  test('a switch that is set back to the schedule is not saved', () => {
    const switches = { [officeHours.id]: { to: 'schedule', until: null } } as const;
    expect(saved({ inputs: [], switches }, monday)).not.toHaveProperty('switches');
  });
});

test('a call that asks no hours is saved without an instant', () => {
  const time = callTimeOf({}, 0);
  const { happenings } = runInputs(flow, ['2'], time);
  expect(repeatableCall({ inputs: ['2'] }, time, happenings)).toEqual({ inputs: ['2'] });
});
