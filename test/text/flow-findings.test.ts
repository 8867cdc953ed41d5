import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IvrProblem } from '../../src/contract/menu/ivr-problem.ts';
import { checkDraft } from '../../src/core/ivr/check-draft.ts';
import {
  blockedText,
  problemSentence,
  problemWarnings,
  scenarioTally,
  writtenProblem,
} from '../../src/text/menu/flow-findings.ts';
import { anyDocument } from '../fixtures/ivr-arbitraries.ts';

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
      { code: 'key_not_allowed', params: { menu, key: '12' } },
      '“12” in “Sales” is not a telephone key. It must be one of 0-9, * or #.',
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
        const { problems } = checkDraft(document, emptyDirectory);
        const warnings = problemWarnings(problems);
        for (const [place, problem] of problems.entries()) {
          const sentence = problemSentence(problem);
          expect(sentence).toMatch(/^\S[^]*\.$/);
          expect(sentence).not.toMatch(/undefined|\[object/);
          const { params: _, ...rest } = problem;
          expect(writtenProblem(problem)).toEqual({ ...rest, message: sentence });
          expect(warnings[place]).toEqual({ field: problem.field ?? '', message: sentence });
        }
      }),
    );
  });
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
