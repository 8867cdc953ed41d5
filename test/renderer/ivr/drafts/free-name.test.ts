import { expect, test } from 'vitest';
import { freeName } from '../../../../src/renderer/ivr/drafts/templates.ts';

test('a draft from a template has a name that no other draft has', () => {
  expect(freeName('Reception', [])).toBe('Reception');
  expect(freeName('Reception', [{ name: 'Reception' }, { name: 'Reception 2' }])).toBe('Reception 3');
});
