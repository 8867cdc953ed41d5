import { expect, it } from 'vitest';
import { asteriskReadme, telephoneSteps, telephoneSystems } from '../../src/text/flow-export.ts';

const names = { entry: 'rotavox_reception', first: 'Reception' };

it('the steps for Asterisk are the same in the window and in the ZIP file', () => {
  const [unpack, ...steps] = telephoneSteps('asterisk', names);
  expect(unpack?.text).toContain('ZIP');
  const readme = asteriskReadme({ drawing: 'Reception', entry: names.entry, included: [], missing: [] });
  for (const [place, { text, line }] of steps.entries()) {
    expect(readme).toContain(`${place + 1}. ${text}\n`);
    if (line !== undefined) expect(readme).toContain(`   ${line}\n`);
  }
  expect(readme).toContain('   exten => 100,1,Goto(rotavox_reception,s,1)');
});

it.each(telephoneSystems)('the steps for %s are few and name this call flow', (system) => {
  const steps = telephoneSteps(system, names);
  expect(steps.length).toBeLessThanOrEqual(5);
  expect(JSON.stringify(steps)).toMatch(/rotavox_reception|“Reception”/);
});
