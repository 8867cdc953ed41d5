import { expect, it } from 'vitest';
import {
  asteriskReadme,
  exportText,
  telephoneSteps,
  telephoneSystems,
} from '../../src/text/menu/flow-export.ts';

const names = { entry: 'rotavox_reception', first: 'Reception' };

it('the steps for Asterisk are the same in the window and in the ZIP file', () => {
  const [unpack, ...steps] = telephoneSteps('asterisk', names);
  expect(unpack?.text).toContain('ZIP');
  const readme = asteriskReadme({
    drawing: 'Reception',
    entry: names.entry,
    included: [],
    missing: [],
    sounds: [],
  });
  for (const [place, { text, line }] of steps.entries()) {
    expect(readme).toContain(`${place + 1}. ${text}\n`);
    if (line !== undefined) expect(readme).toContain(`   ${line}\n`);
  }
  expect(readme).toContain('   exten => 100,1,Goto(rotavox_reception,s,1)');
});

it.each([
  [4, 0, '4 audio files are included.'],
  [1, 0, '1 audio file is included.'],
  [1, 3, '1 audio file is included. Add the other 3 yourself:'],
  [3, 1, '3 audio files are included. Add the other yourself:'],
  [0, 2, 'No audio file is included. Add them yourself:'],
  [0, 0, 'No audio file is included.'],
])(
  'the export with %i audio files and %i prompts without one says how many it has',
  (included, missing, text) => {
    expect(exportText.audio(included, missing)).toBe(text);
  },
);

it.each(telephoneSystems)('the steps for %s are few and name this call flow', (system) => {
  const steps = telephoneSteps(system, names);
  expect(steps.length).toBeLessThanOrEqual(5);
  expect(JSON.stringify(steps)).toMatch(/rotavox_reception|“Reception”/);
});
