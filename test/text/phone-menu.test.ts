import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CallHappening } from '../../src/contract/menu/ivr-call.ts';
import type { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import { runInputs } from '../../src/core/ivr/call/run-scenario.ts';
import {
  alteredSentences,
  callSentence,
  distinctTitles,
  inputsText,
  keyLabel,
  liveText,
  pictureLabels,
  referenceInSentence,
  referenceTitle,
  tallyText,
} from '../../src/text/menu/phone-menu.ts';
import { cleanFlow, inputs } from '../fixtures/ivr-arbitraries.ts';
import { bottomPanelText } from '../../src/text/menu/designer.ts';
import { publishRefusal, publishingText } from '../../src/text/menu/publish.ts';
import { expectSentences } from './problems.ts';
import { outlineOf } from '../../src/renderer/recordings/outline.ts';
import {
  audioRefusalText,
  microphoneProblemText,
  recordedAdvice,
  sizeText,
  trimmedText,
  undecodableText,
  usesText,
  waveformText,
} from '../../src/text/menu/recordings-text.ts';
import { lengthText } from '../../src/text/time.ts';
import { together, tone } from '../renderer/recordings/tones.ts';
import { exitTrafficText, isGivenUp, menuTrafficText } from '../../src/text/menu/traffic.ts';
import { anyTime } from '../fixtures/any-time.ts';

const first = 'first' as NodeId;
const flow = { menus: new Map([[first, { name: 'First' }]]), messages: new Map(), hours: new Map() };

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
        for (const happening of runInputs(any, pressed, anyTime).happenings)
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

const baseUrl = 'https://voice.example.com';
const lostReply = 'The service does not answer.';

const outcomes: Record<keyof typeof publishingText, string> = {
  publishedHere: publishingText.publishedHere(3, 2),
  publishedAt: publishingText.publishedAt(3, baseUrl, 1),
  created: publishingText.created('41'),
  replaced: publishingText.replaced('41'),
  replacedHere: publishingText.replacedHere('41', 7),
  recreating: publishingText.recreating('41'),
  notRecorded: publishingText.notRecorded('The disk is full.'),
  notSent: publishingText.notSent(lostReply),
  lost: publishingText.lost(lostReply),
  losesMenus: publishingText.losesMenus,
  replyLost: publishingText.replyLost,
  replyWithoutId: publishingText.replyWithoutId,
  storedWithoutId: publishingText.storedWithoutId,
  noList: publishingText.noList,
  noneSame: publishingText.noneSame(12),
  adopted: publishingText.adopted('41'),
  idUnknown: publishingText.idUnknown,
  unusableId: publishingText.unusableId(baseUrl, { beginning: 'a b', characters: 3, rule: 'has no spaces' }),
};

describe('an outcome of publishing', () => {
  it.each(Object.entries(outcomes))('is whole sentences: %s', (_, text) => {
    expectSentences(text);
  });

  it.each([
    [outcomes.publishedHere, 'Published as version 3 in this service: 2 menus.'],
    [outcomes.publishedAt, `Published as version 3 at ${baseUrl}: 1 menu.`],
    [outcomes.replacedHere, 'Replaced 41, which is now version 7.'],
  ])('says what was stored, and where: %s', (text, expected) => {
    expect(text).toBe(expected);
  });

  it.each([outcomes.notRecorded, outcomes.lost])(
    'says that publishing again creates no menu twice: %s',
    (text) => {
      expect(text).toContain('Publish again: menus that are stored there already are found');
    },
  );

  it('says that nothing was sent only when that is certain', () => {
    expect(outcomes.notSent).toContain('Nothing was sent.');
    expect(outcomes.lost).toContain('The service may have stored the menu.');
  });

  it('shows the beginning of an id that is too long, and its length', () => {
    const text = publishingText.unusableId(baseUrl, {
      beginning: 'abc',
      characters: 5000,
      rule: 'has 1 to 128 characters',
    });
    expect(text).toContain('“abc…” (5000 characters)');
    expect(outcomes.unusableId).toContain('“a b”, and an id has no spaces');
  });
});

describe('a menu that another service did not store', () => {
  it.each([
    [302, 'redirects to another address, where the token was not sent (302)'],
    [400, 'refused the menu (400: “No.”). Change the draft'],
    [401, 'does not accept the token of “crm” (401: “No.”). Test the credential.'],
    [403, 'It needs the scope ivr:write'],
    [404, 'has no such call (404: “No.”)'],
    [405, 'has no such call (405: “No.”)'],
    [429, 'Publish again later.'],
    [500, 'may have stored the menu all the same'],
    [503, 'may have stored the menu all the same'],
  ])('is reported with the reason and what to do: %i', (status, words) => {
    const text = publishRefusal({ status, said: 'No.', credential: 'crm' });
    expectSentences(text.replaceAll('base_url', 'address'));
    expect(text).toContain(words);
  });

  it('is reported with the status alone when the reply says nothing', () => {
    expect(publishRefusal({ status: 422, said: null, credential: 'crm' })).toContain(
      'refused the menu (422). ',
    );
  });
});

describe('the text of a sound', () => {
  it('says how long it is, where it sounds and how loud', () => {
    const sound = together(tone(0, 500), tone(440, 1000), tone(0, 500));
    expect(waveformText(outlineOf(sound))).toBe(
      'Waveform: 0:02.0 long, sound from 0:00.5 to 0:01.5, good level.',
    );
    expect(waveformText(outlineOf(tone(440, 300, { loud: 0.03 })))).toContain('low level');
    expect(waveformText(outlineOf(tone(440, 300, { loud: 1 })))).toContain('maximum level');
    expect(waveformText(outlineOf(tone(0, 300)))).toBe('Waveform: 0:00.3 long, silent.');
  });

  it.each([
    [0, '0:00', '0:00.0'],
    [999, '0:01', '0:01.0'],
    [59_960, '1:00', '1:00.0'],
    [61_240, '1:01', '1:01.2'],
    [600_000, '10:00', '10:00.0'],
  ])('writes %d ms like a clock', (ms, seconds, tenths) => {
    expect([lengthText(ms), lengthText(ms, 'tenths')]).toEqual([seconds, tenths]);
  });

  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [1500, '2 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [20_971_520, '21.0 MB'],
  ])('writes %d bytes in the unit that fits', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  it('advises to record again what nobody could hear, and what is distorted', () => {
    expect(recordedAdvice(0.005)).toContain('Almost nothing was heard');
    expect(recordedAdvice(0.3)).toBeNull();
    expect(recordedAdvice(1)).toContain('too loud');
  });
});

it('the text of a refused upload says what is wrong and what to upload', () => {
  expect(audioRefusalText({ code: 'unknown' })).toBe(
    'This is not a WAV, MP3 or Ogg file. Upload a WAV, MP3 or Ogg (Vorbis or Opus) file.',
  );
  expect(audioRefusalText({ code: 'wav_codec', codec: 0x45 })).toBe(
    'The codec of this WAV file (G.726) is not supported. Upload a WAV, MP3 or Ogg (Vorbis or Opus) file.',
  );
  expect(audioRefusalText({ code: 'other_format', format: 'm4a' })).toBe(
    'This is a file in the format m4a. Upload a WAV, MP3 or Ogg (Vorbis or Opus) file. The Recordings window converts m4a, FLAC and WebM when you upload them there.',
  );
  expect(undecodableText({ code: 'other_format', format: 'amr' })).toContain(
    'This browser cannot decode it.',
  );
  expect(audioRefusalText({ code: 'too_long', bytes: 35_000_000 })).toBe(
    'Converted for telephones, this WAV file would have 35.0 MB; the limit is 21.0 MB. Save it as MP3 or Ogg, or shorten it.',
  );
});

describe('the text of what trimming removes', () => {
  it.each([
    [500, 990, 'Removes 0.50 s at the beginning and 0.99 s at the end.'],
    [10, 0, 'Removes 0.01 s at the beginning.'],
    [0, 1000, 'Removes 1.00 s at the end.'],
    [0, 0, null],
  ])('after %d ms at the beginning and %d ms at the end is %j', (startMs, endMs, text) => {
    expect(trimmedText(startMs, endMs)).toBe(text);
  });
});

describe('the text of what a recording is played for', () => {
  it('names each use once, whatever the path of its field', () => {
    expect(usesText('ivr', ['recording', 'invalid_recording'])).toBe('prompt and after a wrong key');
    expect(usesText('draft', ['nodes.m1.timeout_recording', 'nodes.m2.timeout_recording'])).toBe(
      'draft, after the last timeout',
    );
  });
});

describe('the text without a microphone', () => {
  it.each([
    ['NotFoundError', 'Connect one'],
    ['NotReadableError', 'Close that program'],
    ['SecurityError', '127.0.0.1'],
    ['OddError', '(OddError)'],
  ])('tells after %s what to do', (name, words) => {
    expect(microphoneProblemText(name, false)).toContain(words);
    expect(microphoneProblemText(name, true)).toContain(words);
  });

  it('names who has to allow it: the browser, or the system where the app has allowed it already', () => {
    expect(microphoneProblemText('NotAllowedError', false)).toContain('beside the address');
    expect(microphoneProblemText('NotAllowedError', true)).toContain('privacy settings');
  });
});

const traffic = {
  menu: 'ivr_a',
  entered: 100,
  keys: { '1': 60, '*': 1 },
  wrong_keys: 8,
  timeouts: 20,
  hung_up: 30,
  led: { wrong_key: 2, timeout: 5 },
};

test('the traffic of a menu is told in one line, with where many give up', () => {
  expect(menuTrafficText(traffic)).toBe(
    'Entered 100 times. Key 1: 60 · Key star: 1 · Wrong key: 8 (2 left by it) · Timeout: 20 (5 left by it) · ' +
      'Hung up: 30 (30 %). Many callers give up here.',
  );
  expect(menuTrafficText({ ...traffic, entered: 0 })).toBe('No call entered in this period.');
});

test('few hang-ups say nothing, however large their share', () => {
  expect(isGivenUp({ entered: 4, hung_up: 2 })).toBe(false);
  expect(isGivenUp({ entered: 100, hung_up: 24 })).toBe(false);
  expect(isGivenUp({ entered: 100, hung_up: 25 })).toBe(true);
});

test('an exit says how often it was taken', () => {
  expect(exitTrafficText({ kind: 'key', key: '1' }, { count: 60, led: null, entered: 100 })).toBe(
    'Key 1 was pressed 60 times (60 % of 100 calls)',
  );
  expect(exitTrafficText({ kind: 'timeout' }, { count: 20, led: 5, entered: 100 })).toBe(
    '20 timeouts; 5 calls left by this exit',
  );
});

test('the tab of the scenarios counts them, but not none', () => {
  expect(bottomPanelText.scenarios(0, 0)).toBe('Scenarios');
  expect(bottomPanelText.scenarios(3, 0)).toBe('Scenarios: 3');
  expect(bottomPanelText.scenarios(3, 1)).toBe('Scenarios: 1 of 3 fail');
});
