import { expect, test } from 'vitest';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { runInputs } from '../../../../src/core/ivr/call/run-scenario.ts';
import { litPath } from '../../../../src/renderer/ivr/designer/play/use-call.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';
import { anyTime } from '../../../fixtures/any-time.ts';

function pathOf(inputs: string[]) {
  const compiled = compileDraft(twoMenus, {});
  if (!compiled.ok) throw new Error('the fixture compiles');
  const { happenings, state } = runInputs(compiled.value, inputs, anyTime);
  return litPath(twoMenus, happenings, state);
}

test('a call lights the caller’s line, each menu that it came to, and each line once', () => {
  const { nodes, lines, at } = pathOf(['2', '9', '2']);
  expect([...nodes]).toEqual(['caller', 'reception', 'opening']);
  expect(lines).toEqual([
    { kind: 'caller' },
    { kind: 'key', menu: 'reception', index: 1 },
    { kind: 'key', menu: 'opening', index: 1 },
  ]);
  expect(at).toBe('opening');
});

test('one wrong key too many and silence light their own exits, to where the call left', () => {
  expect(pathOf(['7', '7', '7'])).toMatchObject({
    lines: [{ kind: 'caller' }, { kind: 'invalid', menu: 'reception' }],
    at: 'sales',
  });
  expect(pathOf(['-', '-'])).toMatchObject({
    lines: [{ kind: 'caller' }, { kind: 'timeout', menu: 'reception' }],
    at: 'sales',
  });
});

test('a key that the menu no longer has is left out', () => {
  const compiled = compileDraft(twoMenus, {});
  if (!compiled.ok) throw new Error('the fixture compiles');
  const { happenings, state } = runInputs(compiled.value, ['2'], anyTime);
  const { lines } = litPath({ ...twoMenus, nodes: {} }, happenings, state);
  expect(lines).toEqual([{ kind: 'caller' }]);
});
