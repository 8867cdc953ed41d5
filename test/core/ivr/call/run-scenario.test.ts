import { describe, expect, it } from 'vitest';
import { type NodeId, Scenario } from '../../../../src/contract/menu/ivr-draft.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { runScenario } from '../../../../src/core/ivr/call/run-scenario.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

function run(inputs: string, expected: Scenario['expected']) {
  const compiled = compileDraft(receptionDocument);
  if (!compiled.ok) throw new Error('the fixture compiles');
  const scenario = Scenario.parse({ id: 'try', name: 'A try', inputs: inputs.split(''), expected });
  return runScenario(compiled.value, scenario);
}

function out(destination: string): Scenario['expected'] {
  return { kind: 'destination', destination };
}

function waits(menu: string): Scenario['expected'] {
  return { kind: 'menu', menu: menu as NodeId };
}

describe('a scenario', () => {
  it.each([
    ['1', out('extension||100')],
    ['21', out('extension||101')],
    ['', waits('reception')],
    ['2-', waits('sales')],
    ['---', out('hangup')],
    // Both ways of writing it are the end of the call.
    ['9', out('hangup||')],
  ])('%j passes if the call ends at %j', (inputs, expected) => {
    expect(run(inputs, expected)).toMatchObject({ scenario: 'try', passed: true, failure: null, ignored: 0 });
  });

  const sales = { kind: 'menu', menu: 'Sales' } as const;
  it.each([
    ['1', out('extension||101'), out('extension||101'), out('extension||100')],
    ['2', out('hangup'), out('hangup'), sales],
    ['9', waits('sales'), sales, out('hangup')],
    ['2', waits('reception'), { kind: 'menu', menu: 'Reception' }, sales],
    ['2', waits('gone'), { kind: 'menu', menu: null }, sales],
  ])('%j fails with what was expected and what came when %j does not come', (inputs, end, expected, came) => {
    expect(run(inputs, end)).toMatchObject({
      passed: false,
      failure: { scenario: 'A try', expected, came },
    });
  });

  it('says how many inputs came after the call had left', () => {
    expect(run('1-2', out('extension||100'))).toMatchObject({ passed: true, ignored: 2 });
  });
});
