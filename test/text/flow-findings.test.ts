import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IvrProblem } from '../../src/contract/menu/ivr-problem.ts';
import { checkDraft } from '../../src/core/ivr/check-draft.ts';
import {
  blockedText,
  findingSentence,
  problemSentence,
  problemWarnings,
  scenarioTally,
  writtenProblem,
} from '../../src/text/menu/flow-findings.ts';
import { anyDocument } from '../fixtures/ivr-arbitraries.ts';
import {
  asteriskReadme,
  exportText,
  telephoneSteps,
  telephoneSystems,
} from '../../src/text/menu/flow-export.ts';
import type { ImportField, ImportNote, ImportRefusal } from '../../src/contract/menu/ivr-import.ts';
import { importErrors, importWarnings } from '../../src/text/menu/flow-import.ts';

type Finding = { [P in IvrProblem as P['code']]: Pick<P, 'code' | 'params'> }[IvrProblem['code']];

const menu = 'Sales';
const emptyDirectory = {
  recordings: new Set<string>(),
  extensions: new Set<string>(),
  menus: new Set<string>(),
  smsTemplates: new Set<string>(),
  routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
  smsTemplatesEnabled: false,
};

function unreached(
  id: string,
  why: Extract<Finding, { code: 'destination_unreachable' }>['params']['why'],
): Finding {
  return { code: 'destination_unreachable', params: { type: 'number', id, why } };
}

describe('the sentence about a finding', () => {
  it.each<[Finding, string]>([
    [
      { code: 'field_open', params: { of: 'menu', menu, field: 'recording' } },
      'Choose what “Sales” plays first.',
    ],
    [
      { code: 'field_open', params: { of: 'menu', menu: ' ', field: 'timeout_tries' } },
      'Enter how many retries the unnamed menu allows after a timeout.',
    ],
    [
      { code: 'field_open', params: { of: 'destination', type: 'time_condition' } },
      'Choose which time condition calls are led to here.',
    ],
    [
      { code: 'field_not_allowed', params: { of: 'menu', menu, field: 'timeout', value: 121 } },
      'Time to press a key of “Sales”: Enter a whole number from 1 to 120.',
    ],
    [
      {
        code: 'field_not_allowed',
        params: { of: 'menu', menu, field: 'description', value: 'x'.repeat(5_000) },
      },
      'Description of “Sales”: At most 1,000 characters. This has 5,000.',
    ],
    [
      {
        code: 'field_not_allowed',
        params: { of: 'menu', menu, field: 'recording', value: `outbound_tts||${'x'.repeat(1001)}` },
      },
      'Prompt of “Sales”: At most 1,000 characters. This has 1,001.',
    ],
    [
      { code: 'field_not_allowed', params: { of: 'menu', menu, field: 'recording', value: 'extension||1' } },
      'Prompt of “Sales”: Choose a recording, or enter an id of at most 200 or a spoken text of at most 1,000 characters, without “|”.',
    ],
    [
      { code: 'field_not_allowed', params: { of: 'keys', menu, keys: 13, most: 12 } },
      'Remove keys from “Sales”: it has 13, and a menu can have 12.',
    ],
    [
      { code: 'field_not_allowed', params: { of: 'sms_template', menu, key: '', longest: 200 } },
      'The SMS template of a key of “Sales” must be an id of at most 200 characters.',
    ],
    [
      { code: 'no_start', params: { first: 'Sales' } },
      'No menu is chosen for the start of a call. Choose one for the caller, for example “Sales”.',
    ],
    [
      { code: 'no_start', params: { first: null } },
      'No menu is chosen for the start of a call. Add a menu and choose it for the caller.',
    ],
    [
      { code: 'no_keys', params: { menu: '' } },
      'The unnamed menu has no keys. Add at least one that a caller can press.',
    ],
    [
      { code: 'key_not_allowed', params: { menu, key: '1#' } },
      '“1#” in “Sales” is not a telephone key. It must be one of 0-9, * or #, or 2 to 4 digits such as 10, of which the first may be *.',
    ],
    [
      { code: 'key_twice', params: { menu, key: '1' } },
      'Key 1 is in “Sales” twice. Change or remove one of them.',
    ],
    [
      { code: 'destination_open', params: { menu, way: { kind: 'key', key: '2' } } },
      'Key 2 of “Sales” has no destination. Choose where it leads, or remove the key.',
    ],
    [
      { code: 'destination_open', params: { menu, way: { kind: 'silence' } } },
      'The timeout of “Sales” has no destination. Choose where it leads.',
    ],
    [
      { code: 'node_unknown', params: { from: 'menu', menu, way: { kind: 'wrong_key' } } },
      'The wrong key of “Sales” leads to something that no longer exists. Choose where it leads.',
    ],
    [
      { code: 'unreachable', params: { kind: 'destination', node: 'extension||' } },
      'No call can reach the extension not chosen yet. Choose it as a destination, or remove it.',
    ],
    [
      {
        code: 'destination_unreachable',
        params: {
          type: 'extension',
          id: '+49 30 555010',
          why: { code: 'character', character: ' ', suggested: '+4930555010' },
        },
      },
      'Extension “+49 30 555010” cannot be called: it contains a space. Write +4930555010.',
    ],
    [
      {
        code: 'destination_unreachable',
        params: {
          type: 'voicemail',
          id: 'alice.smith',
          why: { code: 'character', character: '.', suggested: null },
        },
      },
      'Voicemail “alice.smith” cannot be called: it contains “.”. A telephone system takes letters, digits and * # + - _ only. Choose another, or enter the number that is dialled.',
    ],
    [
      {
        code: 'destination_unreachable',
        params: {
          type: 'extension',
          id: '1\u200b01',
          why: { code: 'character', character: '\u200b', suggested: '101' },
        },
      },
      'Extension “1\u200b01” cannot be called: it contains an invisible character (U+200B). Write 101.',
    ],
    [
      unreached('+49 30 1234567', { code: 'not_international', suggested: '+49301234567' }),
      'Outside number “+49 30 1234567” is not called: an outside number is written as + with country code and number, such as +4930123456. Write +49301234567.',
    ],
    [
      unreached('+49301234567', { code: 'no_countries' }),
      'Outside number “+49301234567” is not called: the settings allow no calls to outside numbers. Add its country under Settings > Phone menus, or lead callers elsewhere.',
    ],
    [
      unreached('+18765550123', { code: 'other_country', country: 'JM' }),
      'Outside number “+18765550123” is not called: the settings do not allow its country, Jamaica. Add JM under Settings > Phone menus, or lead callers elsewhere.',
    ],
    [
      unreached('+2999', { code: 'other_country', country: null }),
      'Outside number “+2999” is not called: no country has this calling code. Correct the number, or lead callers elsewhere.',
    ],
    [
      unreached('+19005551212', { code: 'costly_number', country: 'US' }),
      'Outside number “+19005551212” is not called: numbers like this cost more than usual calls (United States). Enter another number.',
    ],
    [
      unreached('+1202', { code: 'no_such_number', country: 'US' }),
      'Outside number “+1202” is not called: it is too long or too short for its country, United States. Correct the number.',
    ],
    [
      { code: 'sound_unknown', params: { menu, sound: 'custom/welcome', pbx: 'office' } },
      'The telephone system “office” has no sound “custom/welcome”, which “Sales” plays: callers hear nothing. Choose another, or add it there.',
    ],
    [
      { code: 'looks_outside', params: { type: 'extension', id: '+4930227350' } },
      'Extension +4930227350 looks like an outside number, and the settings for outside numbers do not limit its calls. Choose an outside number instead, or ignore this if it is not one.',
    ],
    [
      { code: 'not_elsewhere', params: { what: 'reference', name: menu, reference: 'ring_group||600' } },
      'Another service cannot have ring group 600, which is in “Sales”. Lead callers to an extension or a department of that service, or publish to this service.',
    ],
    [
      { code: 'destination_unrouted', params: { type: 'timegroup', id: '4' } },
      'Time group 4 is not reached: where it is on the telephone system is not known, so its callers go to the fallback. Choose the time condition that uses it, or enter a place for time groups under Telephone systems.',
    ],
    [
      { code: 'no_way_out', params: { menu } },
      'Callers who reach “Sales” can never leave the menus. Lead a key, the wrong key or the timeout to a destination.',
    ],
    [
      { code: 'endless_without_key', params: { menus: ['A', 'B'], way: 'silence' } },
      'Callers who press none of the keys never get out: they go “A” → “B” → “A” and so on. Lead the timeout of “A” out of this loop.',
    ],
    [
      { code: 'endless_without_key', params: { menus: ['A'], way: 'wrong_key' } },
      'Callers who press none of the keys never get out: “A” repeats forever. Lead the wrong key of “A” out of this loop.',
    ],
    [
      {
        code: 'recording_unknown',
        params: { menu, recording: 'custom/welcome', reason: 'unknown_sound', pbx: null },
      },
      'Recording custom/welcome, which “Sales” plays, is not in the list of recordings. Callers hear the sound of the telephone system with this name, and nothing if it has none. Upload it, or choose another.',
    ],
    [
      {
        code: 'recording_unknown',
        params: { menu, recording: 'custom/welcome', reason: 'no_sound', pbx: 'office' },
      },
      'Recording custom/welcome, which “Sales” plays, is not in the list of recordings, and the telephone system “office” has no sound with this name: callers hear nothing. Upload it, choose another, or add the sound there.',
    ],
    [
      { code: 'recording_unknown', params: { menu, recording: 'a&b', reason: 'gone', pbx: null } },
      'Recording a&b, which “Sales” plays, is not in the list of recordings, and no sound of a telephone system can have this name: callers hear nothing. Upload it, or choose another.',
    ],
    [
      {
        code: 'prompt_unspoken',
        params: {
          menu,
          text: `One ${'two '.repeat(20)}`,
          problem: { kind: 'unreadable', at: 4, found: '<b>', fault: 'not_closed' },
        },
      },
      'Callers of “Sales” will not hear “One two two two two two two two two two two two two two two…”. The text cannot be spoken: the tag “<b>” is not closed before the next tag or the end of the text. Add its closing tag (character 5).',
    ],
    [
      {
        code: 'prompt_unspoken',
        params: { menu: null, text: 'Hallo', problem: { kind: 'no_voice', language: 'de-DE' } },
      },
      'Callers will not hear “Hallo” in a prompt of all menus. There is no voice for the language de-DE on this computer. Record the prompt, or choose another language in the settings.',
    ],
    [
      { code: 'letters_unspoken', params: { menu, letters: ['日', '本', '語'], language: 'en-US' } },
      'Callers of “Sales” will not hear 日本語. The voice for English (United States) cannot read these letters. Record the prompt, or choose a voice of its language in the settings.',
    ],
    [
      {
        code: 'scenario_failed',
        params: {
          scenario: 'A call',
          expected: { kind: 'menu', menu },
          came: { kind: 'destination', destination: 'hangup' },
        },
      },
      'Scenario “A call” fails: expected to wait in “Sales”, but the call reached the end of the call. Change the flow or what the scenario expects.',
    ],
  ])('%j', (finding, sentence) => {
    expect(problemSentence(finding)).toBe(sentence);
  });

  it('is whole for everything that the checks find, and stands where a reply or a file has it', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const { problems } = checkDraft(document, emptyDirectory, 0);
        const warnings = problemWarnings(problems);
        for (const [place, problem] of problems.entries()) {
          const sentence = problemSentence(problem);
          expect(sentence).toMatch(/^\S[^]*\.$/);
          expect(sentence).not.toMatch(/undefined|\[object/);
          expect(findingSentence(problem)).toMatch(/^\S[^]*\.$/);
          const { params: _, ...rest } = problem;
          expect(writtenProblem(problem)).toEqual({ ...rest, message: sentence });
          expect(warnings[place]).toEqual({ field: problem.field ?? '', message: sentence });
        }
      }),
    );
  });
});

it.each<[Pick<IvrProblem, 'code' | 'params'>, string]>([
  [
    { code: 'never_played', params: { menu, recording: 'retry' } },
    'Prompt before a retry of “Sales”: it is never played, because the menu does not retry after a timeout. Increase “Retries after a timeout” if it should.',
  ],
  [
    { code: 'sms_setting_off', params: { menu } },
    '“Sales” sends SMS templates, but they are turned off, so this service leaves them out. Turn them on in the settings to send them.',
  ],
])('a window says it without a name of the API: %j', (finding, sentence) => {
  const place = { severity: 'warning', path: '', node: null, field: null, scenario: null } as const;
  const problem = { ...place, ...finding } as IvrProblem;
  expect(findingSentence(problem)).toBe(sentence);
  expect(problemSentence(problem)).toMatch(/_/);
});

it('a publication that is blocked names the first three errors', () => {
  const error = {
    severity: 'error',
    path: 'nodes.sales.keys',
    node: null,
    field: null,
    scenario: null,
    code: 'no_keys',
    params: { menu },
  } as const;
  const sentence = problemSentence(error);
  expect(blockedText([error])).toBe(`1 error blocks publishing; nothing was sent. ${sentence}`);
  expect(blockedText([error, error, error, error])).toBe(
    `4 errors block publishing; nothing was sent. ${sentence} ${sentence} ${sentence} And 1 more.`,
  );
});

it.each([
  [{ count: 0, failing: 0, canRun: true }, 'No scenarios yet.'],
  [
    { count: 3, failing: 0, canRun: false },
    'Scenarios cannot run until the call flow is complete and has no errors.',
  ],
  [{ count: 1, failing: 0, canRun: true }, 'The scenario passes.'],
  [{ count: 3, failing: 0, canRun: true }, 'All 3 scenarios pass.'],
  [{ count: 3, failing: 1, canRun: true }, '1 of 3 scenarios fails.'],
  [{ count: 3, failing: 2, canRun: true }, '2 of 3 scenarios fail.'],
])('scenarios are counted: %j', (counts, words) => {
  expect(scenarioTally(counts)).toBe(words);
});

const names = { entry: 'rotavox_reception', first: 'Reception' };

it('the steps for Asterisk are the same in the window and in the ZIP file', () => {
  const [unpack, ...steps] = telephoneSteps('asterisk', names);
  expect(unpack?.text).toContain('ZIP');
  const readme = asteriskReadme({
    drawing: 'Reception',
    entry: names.entry,
    prompts: [],
    audio: new Map(),
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

const ofMenu = (field: ImportField) => ({ menu: { name: 'Sales', number: 2 }, key: null, field });
const ofKey = (field: ImportField, label: string | null = '2') => ({
  ...ofMenu(field),
  key: { label, number: 3 },
});
const unnamed = { name: ' ', number: 2 };

it.each<[Omit<ImportNote, 'at'>, string]>([
  [
    { code: 'missing', place: ofMenu('timeout'), params: null },
    'Menu “Sales”: the time to press a key is missing and stays open.',
  ],
  [
    { code: 'missing', place: { ...ofMenu('timeout_destination'), menu: unnamed }, params: null },
    'Menu 2: the destination after the last timeout is missing and stays open.',
  ],
  [
    { code: 'key_without_destination', place: ofKey('destination'), params: null },
    'Key 2 of “Sales”: the destination is missing, so the key has no destination yet.',
  ],
  [
    { code: 'key_without_destination', place: { ...ofKey('destination', '*'), menu: unnamed }, params: null },
    'Key star of menu 2: the destination is missing, so the key has no destination yet.',
  ],
  [
    { code: 'not_a_number', place: ofMenu('timeout'), params: { value: 'soon', found: 'text' } },
    'Menu “Sales”: the time to press a key must be a whole number, not “soon”, so it stays open.',
  ],
  [
    { code: 'not_a_number', place: ofMenu('timeout_tries'), params: { value: null, found: 'list' } },
    'Menu “Sales”: the number of retries after a timeout must be a whole number, not a list, so it stays open.',
  ],
  [
    {
      code: 'not_a_destination',
      place: ofKey('destination'),
      params: { of: 'key', value: 'x'.repeat(50) },
    },
    `Key 2 of “Sales”: the destination is “${'x'.repeat(40)}…”, which is not a kind of destination with an id, so the key has no destination yet.`,
  ],
  [
    { code: 'no_id', place: ofMenu('timeout_destination'), params: { type: 'time_condition' } },
    'Menu “Sales”: the destination after the last timeout does not say which time condition, so that stays open.',
  ],
  [
    { code: 'surplus', place: ofMenu('destinations'), params: { count: 1 } },
    'Menu “Sales”: the list of destinations has 1 more entry than the list of keys; left out.',
  ],
  [
    { code: 'not_a_key', place: ofKey('key', null), params: { found: 'boolean' } },
    'Key number 3 of “Sales”: the key must be a text, not true or false, so it stays open.',
  ],
  [
    { code: 'not_a_key', place: ofKey('key', null), params: { found: 'text' } },
    'Key number 3 of “Sales”: the key is blank or too long, so it stays open.',
  ],
  [
    { code: 'contradicts', place: ofMenu('invalid_recording'), params: { other: 'invalid_recording' } },
    'Menu “Sales”: the prompt after a wrong key is there twice with different values; the one under “invalid_recording” was read.',
  ],
])('an import warns of %j', (note, sentence) => {
  expect(importWarnings({ notes: [{ ...note, at: 'data' } as ImportNote], more: 0, leftOut: [] })).toEqual([
    sentence,
  ]);
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
  [{ code: 'not_a_menu', at: '[1]', params: { found: 'number' } }, 'must be a phone menu, not a number'],
  [{ code: 'not_a_menu', at: '[1]', params: { found: 'object' } }, 'has none of the fields of a phone menu'],
])('an import is refused for %j', (refusal, message) => {
  expect(importErrors([refusal])).toEqual([{ field: refusal.at, message }]);
});
