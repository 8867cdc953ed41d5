import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftBounds } from '../../../../src/contract/menu/ivr-draft.ts';
import { readInputs, writeInputs } from '../../../../src/renderer/ivr/designer/scenarios/scenario-list.tsx';

test('inputs are read back as they were written', () => {
  const inputs = fc.array(fc.constantFrom(...Array.from('0123456789*#-')), { maxLength: draftBounds.inputs });
  fc.assert(
    fc.property(inputs, (some) => {
      expect(readInputs(writeInputs(some))).toEqual({ ok: true, value: some });
    }),
  );
});

test.each([
  ['9, -, 1', ['9', '-', '1']],
  ['9-1', ['9', '-', '1']],
  ['9 – 1;', ['9', '-', '1']],
  ['', []],
  [' ,, ', []],
])('%j is read', (text, inputs) => {
  expect(readInputs(text)).toEqual({ ok: true, value: inputs });
});

test.each(['9, x', '1️⃣', 'nine', '9.1'])('%j is refused with what cannot be read in it', (text) => {
  const read = readInputs(text);
  expect(read.ok ? null : read.refusal).toMatchObject({ code: 'not_an_input' });
});

test('more inputs than a scenario has are refused with how many they are', () => {
  const read = readInputs('1'.repeat(101));
  expect(read.ok ? null : read.refusal).toEqual({ code: 'too_many', count: 101, most: 100 });
});
