import { expect, it } from 'vitest';
import type { ImportNote, ImportRefusal } from '../../src/contract/menu/ivr-import.ts';
import { importErrors, importWarnings } from '../../src/text/menu/flow-import.ts';

it.each<[ImportNote, string]>([
  [{ code: 'missing', at: 'timeout', params: null }, 'timeout is missing and stays open.'],
  [
    { code: 'key_without_destination', at: 'destination[1]', params: null },
    'destination[1] is missing, so the key has no destination yet.',
  ],
  [
    { code: 'not_a_number', at: 'timeout', params: { value: 'soon', found: 'text' } },
    'timeout must be a whole number, not “soon”, so it stays open.',
  ],
  [
    { code: 'not_a_number', at: 'timeout', params: { value: null, found: 'list' } },
    'timeout must be a whole number, not a list, so it stays open.',
  ],
  [
    { code: 'not_a_destination', at: 'destination[0]', params: { of: 'key', value: 'x'.repeat(50) } },
    `destination[0] must be written <type>||<id>, not “${'x'.repeat(40)}…”, so the key has no destination yet.`,
  ],
  [
    { code: 'no_id', at: 'timeout_destination', params: { type: 'time_condition' } },
    'timeout_destination does not say which time condition, so that stays open.',
  ],
  [
    { code: 'surplus', at: 'destination', params: { count: 1 } },
    'destination has 1 more entry than option; left out.',
  ],
  [
    { code: 'not_a_key', at: 'option[0]', params: { found: 'boolean' } },
    'option[0] must be a key, not true or false, so it stays open.',
  ],
])('an import warns of %j', (note, sentence) => {
  expect(importWarnings({ notes: [note], more: 0, leftOut: [] })).toEqual([sentence]);
});

it('an import says how many more warnings there are, and names fields that it left out', () => {
  const leftOut = Array.from({ length: 32 }, (_, place) => ({
    field: `f${place}`,
    times: place === 0 ? 2 : 1,
  }));
  const [more, fields] = importWarnings({ notes: [], more: 3, leftOut });
  expect(more).toBe('There are 3 more; the checks of the draft list each of them.');
  expect(fields).toMatch(
    /^Left out, because a menu does not have them: f0 \(2 times\), f1, .*f29 and 2 more\.$/,
  );
});

it.each<[ImportRefusal, string]>([
  [{ code: 'not_json', at: '', params: null }, 'is not JSON'],
  [
    { code: 'not_json', at: '', params: { line: 3, column: 1, expected: 'value', found: 'comma' } },
    'is not JSON: line 3, column 1 must be a value, not a comma',
  ],
  [{ code: 'empty_list', at: 'data', params: null }, 'contains no menu'],
  [{ code: 'not_a_menu', at: '[1]', params: { found: 'number' } }, 'must be an IVR, not a number'],
  [
    { code: 'not_a_menu', at: '[1]', params: { found: 'object' } },
    'has no field of an IVR, such as name, recording or option',
  ],
])('an import is refused for %j', (refusal, message) => {
  expect(importErrors([refusal])).toEqual([{ field: refusal.at, message }]);
});
