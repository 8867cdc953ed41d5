import type { IvrDraft, Publication, PublishExchange } from '../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';
import type { Ivr, IvrWarning } from '../../contract/menu/ivr.ts';
import type { SpeakingJob, SpeechStatus, SpokenPrompt } from '../../contract/menu/recording.ts';
import { countWords } from '../count.ts';
import {
  changesText,
  isOfLanguage,
  otherVoiceText,
  shownLetters,
  speechProblemText,
} from '../menu/speech-text.ts';
import { type CommandHelp, inputProblem, optionHelp } from './cli.ts';
import { problemSentence } from '../menu/flow-findings.ts';
import { alteredSentences, menuTitle } from '../menu/phone-menu.ts';
import { localTime } from '../time.ts';

/** What the `ivr` commands say: stored phone menus, drafts, and files of both. */

export const ivrHelp = {
  source: 'a JSON file (- for stdin), or the id of a draft or of a stored IVR',
  description: 'Create, check, test and list phone menus (IVRs).',
  examples: ['rotavox ivr create menu.json', 'rotavox ivr list'],
  id: optionHelp.id('IVR', 'ivr list'),
  list: { description: 'List the stored IVRs.', examples: ['rotavox ivr list', 'rotavox ivr list --json'] },
  create: {
    description: 'Create an IVR from a JSON file with the fields of POST /v1/ivr. Prints its id.',
    examples: ['rotavox ivr create menu.json', 'rotavox ivr create - < menu.json'],
  },
  show: {
    description: 'Show one IVR: its recordings, where each key leads, and what happens on a timeout.',
    examples: ['rotavox ivr show ivr_…', 'rotavox ivr show ivr_… --json'],
  },
  delete: {
    description: 'Delete an IVR. Its versions stay in the history.',
    examples: ['rotavox ivr delete ivr_…'],
  },
  validate: {
    description:
      'Check everything that import reads and export writes as JSON, without creating anything. For a file it works without a running service.',
    examples: [
      'rotavox ivr validate menu.json',
      'rotavox ivr validate draft.json',
      'rotavox ivr validate - --json < menu.json',
    ],
  },
  simulate: {
    description:
      'Simulate a call to everything that import reads and export writes as JSON. For a file it works without a running service.',
    examples: [
      'rotavox ivr simulate menu.json --keys 2',
      'rotavox ivr simulate draft.json --keys "9,-,1" --json',
      'rotavox ivr simulate draft_… --at "2026-12-25 10:00" --hours Office=open',
    ],
    keys: 'what the caller presses, separated by commas: keys of 0-9, * and #, and - for a timeout; the digits of a number follow each other',
    at: 'when the call comes: 17:00, tomorrow 08:00, 2026-12-24, 2026-12-24 12:00, or an instant; default: now',
    hours:
      'opening hours that are set by hand when it comes, such as Office=closed; several separated by commas',
  },
  speak: {
    description:
      'Speak the texts of an IVR, and of those that it leads to, that have no speech yet or were spoken by another voice than the settings have now. Exit code 1 if a text has no speech.',
    examples: ['rotavox ivr speak ivr_…', 'rotavox ivr speak ivr_… --check'],
    check: 'change nothing; exit code 1 if speech is missing or has changed',
  },
  speakAll: {
    description: [
      'Speak the texts of all stored IVRs and drafts that have no recording, one after the other, and wait for the end. Exit code 1 if a text could not be spoken.',
      '',
      'The service goes on when this command is ended, and after a restart. `--stop` stops it.',
    ].join('\n'),
    examples: ['rotavox ivr speak-all', 'rotavox ivr speak-all --changed', 'rotavox ivr speak-all --stop'],
    changed: 'also speak again the recordings whose voice or pronunciation has changed',
    check: 'change nothing; exit code 1 if a text has no recording, or a recording has changed',
    stop: 'stop the work that runs',
  },
  import: {
    description:
      'Create a draft from a JSON file: an IVR, a list of IVRs, the reply of GET /v1/ivrs, or an exported draft. Prints its id.',
    examples: ['rotavox ivr import menus.json', 'rotavox ivr import - < menus.json'],
  },
  export: {
    description:
      'Print a menu or a draft in another format: for a telephone system, as a picture, or to import it again.',
    examples: [
      'rotavox ivr export ivr_… --to asterisk > menu.conf',
      'rotavox ivr export ivr_… --to asterisk --pbx office > menu.conf',
      'rotavox ivr export ivr_… --to asterisk-zip > menu.zip',
      'rotavox ivr export menu.json --to svg > menu.svg',
    ],
    to: 'the format; asterisk-zip has the dialplan, the audio files and instructions',
    pbx: 'the telephone system whose places for destinations an Asterisk dialplan has (default: the only one)',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const draftHelp = {
  description: 'List, publish and delete drafts of the designer.',
  examples: ['rotavox ivr draft list', 'rotavox ivr draft publish draft_…'],
  id: optionHelp.id('draft', 'ivr draft list'),
  list: {
    description: 'List the drafts of the designer, the last changed first.',
    examples: ['rotavox ivr draft list', 'rotavox ivr draft list --json'],
  },
  show: {
    description: 'Show a draft: its menus, its scenarios and where it is published.',
    examples: ['rotavox ivr draft show draft_…', 'rotavox ivr draft show draft_… --json'],
  },
  publish: {
    description: 'Check a draft, then store its menus here or in the service of a credential.',
    examples: ['rotavox ivr draft publish draft_…', 'rotavox ivr draft publish draft_… --credential pbx'],
    credential: 'publish to the service of this credential, with its current token',
  },
  versions: {
    description: 'List the published versions of a draft, newest first.',
    examples: ['rotavox ivr draft versions draft_…', 'rotavox ivr draft versions draft_… --json'],
    id: 'the id of the draft; a deleted draft still has its versions',
  },
  delete: {
    description: 'Delete a draft. Its published menus and its versions stay.',
    examples: ['rotavox ivr draft delete draft_…'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const ivrText = {
  archive: 'A ZIP file',
  none: 'No IVRs yet. Create one with `rotavox ivr create FILE`.',
  unreadableMenu: 'This file cannot be read as a menu:',
  notOneMenu: (file: string) =>
    `${file === '-' ? inputProblem.stdin : file} is not the body of one IVR, but a list of them or an exported call flow. Create a draft from it with \`rotavox ivr import\`, and publish that.`,
  validIvr: 'Valid: it can be created as it is.',
  invalidIvr: 'This IVR cannot be created:',
  validDraft: 'Valid: it can be published as it is.',
  invalidDraft: 'This draft cannot be published:',
  scenario: (name: string, passed: boolean | null) => {
    if (passed === null) return `Scenario “${name}” was not run.`;
    return `Scenario “${name}” ${passed ? 'passes' : 'fails'}.`;
  },
  cannotSimulateIvr: 'This IVR cannot be simulated:',
  cannotSimulateDraft: 'This draft cannot be simulated yet:',
  input: (part: string) => `“${part}” is not valid: each must be one key of 0-9, * or #, or - for a timeout.`,
  switchedWrongly: (part: string) => `“${part}” is not valid: write NAME=open or NAME=closed.`,
  asksNoHours: (name: string, known: readonly string[]) =>
    `The call flow asks no opening hours “${name}”. ${known.length === 0 ? 'It asks none.' : `It asks: ${known.join(', ')}.`}`,
  noInstant: (text: string) =>
    `“${text}” is not a time. Write 17:00, tomorrow 08:00, a date such as 2026-12-24, or an instant such as 2026-12-24T17:00Z.`,
  ended: (destination: string) => `Ended at ${destination}.`,
  waiting: (menu: string) => `Waiting in “${menu}”.`,
  ignoredKeys: (count: number) =>
    `${count === 1 ? 'The last key was' : `The last ${count} keys were`} not used: the call had ended.`,
  noTexts: 'This IVR has no spoken texts.',
  allSpoken: (made: number, all: number) =>
    `Callers hear ${all === 1 ? 'its text' : `all ${all} texts`}. ${made === 0 ? 'Nothing was spoken anew.' : `${made} spoken now.`}`,
  notSpoken: (prompts: readonly SpokenPrompt[]) => {
    const missing = prompts.filter(({ state }) => state === 'missing').length;
    const changed = prompts.filter(({ state }) => state === 'changed').length;
    return [
      ...(missing > 0 ? [`Callers do not hear ${countWords(missing, 'text')}:`] : []),
      ...(missing === 0 ? [`${countWords(changed, 'text')} would be spoken in another way now:`] : []),
      ...prompts.filter(({ state }) => state !== 'spoken').map(unspokenLine),
    ];
  },
  notImported: 'Nothing was imported:',
  imported: (name: string) => `Imported as the draft “${name}”.`,
  notExported: 'A telephone system cannot run this yet:',
  noSuchPbx: (name: string) => `There is no telephone system “${name}”. See them with \`rotavox pbx list\`.`,
  choosePbx: (names: readonly string[]) =>
    `Destinations are at other places on each telephone system. Choose one with --pbx: ${names.join(', ')}.`,
} as const;

/** What callers do not hear although it is spoken, and which voice speaks where none has the language. */
export function spokenNotes(prompts: readonly SpokenPrompt[], language: string): string[] {
  const odd = prompts.filter(({ unreadable }) => unreadable.length > 0);
  const [other] = prompts.flatMap(({ voice_language: voice }) =>
    voice === null || isOfLanguage(voice, language) ? [] : [voice],
  );
  return [
    ...odd.map(({ text, unreadable }) =>
      warningLine(`no voice of the language can read ${shownLetters(unreadable)} in: ${text}`),
    ),
    ...(other === undefined ? [] : [warningLine(otherVoiceText(language, other))]),
  ];
}

/** How far speaking all texts came. */
export const speakAllText = {
  none: 'Every text has a recording.',
  head: ['text', 'recording', 'why not'],
  failureRow: ({ text, recording, problem }: SpeakingJob['failures'][number]) => [
    text,
    recording ?? '',
    speechProblemText(problem),
  ],
  done: ({ done, total }: SpeakingJob) => `${done} of ${countWords(total, 'text')} spoken.`,
  stopped: 'Stopped. What was made stays.',
  notRunning: 'Nothing was being spoken.',
  left: ({ missing, changed }: SpeechStatus) =>
    `${countWords(missing, 'text')} without a recording, ${countWords(changed, 'recording')} changed.`,
  failed: ({ status, done, total, failed, interrupted }: SpeakingJob) => {
    if (interrupted !== null)
      return `Speaking stopped by itself. ${interrupted} Start it again when that is mended; it goes on.`;
    if (status !== 'done') return `Speaking was stopped after ${done} of ${countWords(total, 'text')}.`;
    return `${countWords(failed, 'text')} could not be spoken.`;
  },
} as const;

function unspokenLine({ text, state, changed, problem }: SpokenPrompt): string {
  if (problem !== null) return `- ${text}: ${speechProblemText(problem)}`;
  return `- ${text}: ${state === 'missing' ? 'not spoken yet' : changesText(changed)}.`;
}

export const spokenListHead = ['state', 'recording', 'text'];

/** A text of a menu in a list. */
export function spokenRow({ state, made, recording, text }: SpokenPrompt): string[] {
  return [made ? 'spoken now' : state, recording ?? '', text];
}

export const draftText = {
  none: 'No drafts yet. Create one in the designer, or with `rotavox ivr import FILE`.',
  noVersions: (id: string) => `No version yet. Publish one with \`rotavox ivr draft publish ${id}\`.`,
  deleted: (id: string) => `${id} is deleted.`,
  exchange: ({ method, url, name, status, message }: PublishExchange) =>
    `${method} ${url}  ${status ?? 'no answer'}  ${name}: ${message}`,
} as const;

export const ivrListHead = ['id', 'version', 'changed', 'keys', 'name'];

/** What one IVR does, each line with its label. */
export function ivrRows(ivr: Ivr): string[][] {
  const { sms_template: smsTemplate } = ivr;
  return [
    ['IVR', ivr.id],
    ['Name', ivr.name],
    ['Description', ivr.description],
    ['Version', `${ivr.version}, changed ${localTime(ivr.updated_at)}`],
    ['Plays', ivr.recording],
    ['Waits', `${ivr.timeout} s`],
    ...ivr.option.map((key, place) => [`Key ${key}`, ivr.destination[place] ?? '']),
    [
      'Wrong key',
      `${ivr.invalid_recording}, ${ivr.incorrect_count} more attempts, then ${ivr.invalid_destination}`,
    ],
    [
      'Timeout',
      `${ivr.timeout_retry_recording} up to ${ivr.timeout_tries} times, then ${ivr.timeout_recording} and ` +
        ivr.timeout_destination,
    ],
    ...(smsTemplate === undefined ? [] : [['SMS templates', smsTemplate.join(', ')]]),
  ];
}

export const draftListHead = [
  'id',
  'revision',
  'changed',
  'menus',
  'scenarios',
  'errors',
  'warnings',
  'published',
  'name',
];

/** Whether any version of a draft is published, in a cell. */
export function isPublishedText(publications: readonly Publication[]): string {
  return publications.some(({ version }) => version !== null) ? 'yes' : 'no';
}

export const versionListHead = ['version', 'revision', 'published', 'credential', 'service', 'menus'];

/** Where a version was published, in a cell: with which credential, or here. */
export function publishedWithText(credential: string | null): string {
  return credential ?? 'here';
}

/** What a draft contains, each line with its label. */
export function draftRows({ id, revision, updated_at, document, publications }: IvrDraft): string[][] {
  const menus = Object.values(document.nodes).filter((node) => node.kind === 'menu');
  return [
    ['Draft', id],
    ['Name', document.name],
    ['Revision', `${revision}, saved ${localTime(updated_at)}`],
    ...menus.map((menu) => [
      `Menu ${menu.id}`,
      `${menuTitle(menu)}, keys ${menu.keys.map(({ key }) => key).join(' ') || 'none'}`,
    ]),
    ...Object.values(document.scenarios).map((scenario) => [
      `Scenario ${scenario.id}`,
      `${scenario.name}: ${scenario.inputs.join(' ') || 'no key is pressed'}`,
    ]),
    ...publications.map((publication) => ['Published', publicationText(publication)]),
  ];
}

function publicationText(publication: Publication): string {
  const { base_url: baseUrl, credential, version, published_at: at, menus } = publication;
  const where = credential === null ? 'here' : `${baseUrl} (${credential})`;
  const what =
    version === null ? 'incomplete' : `version ${version}${at === null ? '' : `, ${localTime(at)}`}`;
  return [`${where}: ${what}; ${Object.values(menus).join(', ')}`, ...alteredSentences(publication)].join(
    '. ',
  );
}

/** What is wrong with a draft, a line each: where, and what to do. */
export function ivrProblemLines(problems: readonly IvrProblem[]): string[] {
  return problems.map((problem) => `  ${problem.path}: ${problemSentence(problem)}`);
}

export function warningLine(warning: string): string {
  return `Warning: ${warning}`;
}

/** The warnings about a body, a line each; `menu`: the name of the menu, where there may be several. */
export function warningLines(warnings: readonly IvrWarning[], menu: string | null = null): string[] {
  const of = menu === null ? '' : `${menu}: `;
  return warnings.map(({ field, message }) => warningLine(`${of}${field}: ${message}`));
}
