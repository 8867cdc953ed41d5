import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallHappening } from '../../src/contract/menu/ivr-call.ts';
import type { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import { runInputs } from '../../src/core/ivr/call/run-scenario.ts';
import {
  callSentence,
  inputsText,
  keyLabel,
  alteredSentences,
  distinctTitles,
  liveText,
  pictureLabels,
  referenceTitle,
  referenceInSentence,
  tallyText,
} from '../../src/text/menu/phone-menu.ts';
import { cleanFlow, inputs } from '../fixtures/ivr-arbitraries.ts';

const first = 'first' as NodeId;
const flow = { menus: new Map([[first, { name: 'First' }]]) };

describe('a call', () => {
  it.each<[CallHappening, string]>([
    [{ kind: 'entered', menu: first }, 'The call enters “First”.'],
    [
      { kind: 'playing', menu: first, prompt: { recording: 'recording||1', cause: 'menu' } },
      'Plays recording 1.',
    ],
    [
      { kind: 'playing', menu: first, prompt: { recording: 'recording||1', cause: 'silence_last' } },
      'Plays recording 1 after the last timeout.',
    ],
    [{ kind: 'waiting', menu: first, seconds: 1 }, 'Waits 1 second for a key.'],
    [{ kind: 'key', menu: first, key: '1', used: true }, 'The caller presses 1.'],
    [{ kind: 'key', menu: first, key: '7', used: false }, 'The caller presses 7, a wrong key in “First”.'],
    [{ kind: 'silence', menu: first }, 'Timeout: the caller pressed nothing.'],
    [{ kind: 'sms', menu: first, template: '31' }, 'Sends SMS template 31.'],
    [
      {
        kind: 'led',
        menu: first,
        port: { kind: 'wrong_key' },
        to: { kind: 'destination', destination: 'hangup', node: null },
      },
      'The last wrong key leads to the end of the call.',
    ],
    [
      { kind: 'led', menu: first, port: { kind: 'key', key: '1' }, to: { kind: 'menu', menu: first } },
      'Key 1 leads to “First”.',
    ],
  ])('%j is told in a sentence', (happening, sentence) => {
    expect(callSentence(happening, flow)).toBe(sentence);
  });

  it('is told in whole sentences, whatever happens in it', () => {
    fc.assert(
      fc.property(cleanFlow, inputs, (any, pressed) => {
        for (const happening of runInputs(any, pressed).happenings)
          expect(callSentence(happening, any)).toMatch(/^[A-Z][^]*\.$/);
      }),
    );
  });

  it('names what a caller does', () => {
    expect(inputsText(['9', '-', '*'])).toBe('presses 9, waits for the timeout, presses *');
    expect(inputsText([])).toBe('presses nothing');
    expect([keyLabel('#'), keyLabel('1')]).toEqual(['Key hash', 'Key 1']);
  });
});

it.each([
  ['recording||42', 'recording 42', 'Recording 42'],
  ['outbound_tts||Press 7.', 'spoken text “Press 7”', 'Spoken text “Press 7.”'],
  ['ivr||ivr_1', 'stored menu ivr_1', 'Stored menu ivr_1'],
  ['hangup||now', 'the end of the call', 'Hang up'],
  ['moon||2', 'moon||2', 'moon||2'],
  ['constructor||2', 'constructor||2', 'constructor||2'],
  ['extension||', 'the extension not chosen yet', 'Extension'],
  ['nonsense', 'nonsense', 'nonsense'],
])('the reference %s has a name in a sentence and in a list', (text, words, title) => {
  expect(referenceInSentence(text)).toBe(words);
  expect(referenceTitle(text)).toBe(title);
});

it.each([
  [{ errors: 0, todos: 0, warnings: 0 }, 'No problems'],
  [{ errors: 2, todos: 3, warnings: 1 }, '2 errors, 3 to do, 1 warning'],
  [{ errors: 0, todos: 0, warnings: 3 }, '3 warnings'],
])('findings are counted: %j', (tally, words) => {
  expect(tallyText(tally)).toBe(words);
});

it('a draft is live where it was published, and differs once callers would meet something else', () => {
  const there = { credential: null, base_url: '', menus: {}, version: 1, published_at: '2026-01-01' };
  const later = { ...there, credential: 'pbx', version: 2, published_at: '2026-01-02', fingerprint: 'a' };
  expect(liveText([{ ...there, version: null }], 'a')).toBe('Not published');
  expect(liveText([there], 'a')).toBe('Live: version 1'); // its fingerprint is not known
  expect(liveText([later], 'a')).toBe('Live: version 2 with pbx');
  expect(liveText([{ ...there, fingerprint: 'a' }], 'b')).toBe('Live: version 1 · the draft differs');
  expect(liveText([there, later], 'b')).toBe('Live: version 2 with pbx, version 1 here · the draft differs');
});

it('a draft says which of its stored menus were deleted or replaced since it was published', () => {
  const there = { credential: null, base_url: '', menus: {}, version: 1, published_at: '2026-01-01' };
  const gone = { ...there, altered: { deleted: ['Reception'], replaced: [], is_gone: true } };
  const replaced = { ...there, altered: { deleted: [], replaced: ['Reception', 'Hours'], is_gone: false } };
  const both = { ...there, altered: { deleted: ['Hours'], replaced: ['Reception'], is_gone: false } };
  expect(liveText([gone], 'a')).toBe('Not live: the stored menus were deleted');
  expect(liveText([replaced], 'a')).toBe('Live: version 1 · a stored menu was replaced');
  expect(liveText([both], 'a')).toBe(
    'Live: version 1 · a stored menu was deleted · a stored menu was replaced',
  );
  expect(alteredSentences(there)).toEqual([]);
  expect(alteredSentences(replaced)).toEqual([
    '“Reception” and “Hours” were replaced outside this draft since version 1 was published.',
  ]);
  expect(alteredSentences(both)).toEqual([
    '“Hours” was deleted since version 1 was published.',
    '“Reception” was replaced outside this draft since version 1 was published.',
  ]);
});

it('a picture names the other outcomes of a prompt, and a key that is not chosen', () => {
  expect(pictureLabels.way({ kind: 'wrong_key' })).toBe('wrong key');
  expect(pictureLabels.way({ kind: 'silence' })).toBe('timeout');
  expect(pictureLabels.way({ kind: 'key', key: '' })).toBe('?');
});

it('menus in a list are told apart by their ids where their names are not', () => {
  const named = (...names: string[]) => [
    ...distinctTitles(names.map((name, place) => ({ id: `ivr_${place}`, name }))).values(),
  ];
  expect(named('Sales', 'Support', '')).toEqual(['Sales', 'Support', 'Unnamed menu']);
  expect(named('Sales', 'sales ', 'SALES!', 'Ｓales', 'Sale')).toEqual([
    'Sales (ivr_0)',
    'sales  (ivr_1)',
    'SALES! (ivr_2)',
    'Ｓales (ivr_3)',
    'Sale',
  ]);
});
