import type {
  ForeignFormat,
  ImportField,
  ImportNote,
  ImportPlace,
  ImportRefusal,
  ImportRefusalParams,
  ImportWarningParams,
  ImportWarnings,
  JsonKind,
} from '../../contract/menu/ivr-import.ts';
import type { FieldError } from '../../contract/problems.ts';
import { countWords } from '../count.ts';
import { fieldProblemText } from '../window/field-errors.ts';
import { keyLabel, kindInSentence, quoted } from './phone-menu.ts';
import { notJsonText } from '../text-file.ts';

/** What an import left out or left open, and why a file cannot be imported. */

export const importText = {
  title: 'Import',
  what: 'A menu as JSON or a list of them, as an app or another telephone platform has them, or a draft exported here.',
  choose: 'Choose a file…',
  file: 'JSON file',
  drop: 'Or drop it here.',
  paste: 'Or paste it here',
  cancel: 'Cancel',
  import: 'Import',
  importing: 'Importing …',
  refused: 'This cannot be imported:',
  /** A reason that is about no place in particular. */
  whole: 'The text',
  warnings: (count: number) => `${countWords(count, 'warning')}:`,
  found: (
    name: string,
    { menus, destinations, scenarios }: Readonly<Record<'menus' | 'destinations' | 'scenarios', number>>,
  ) =>
    `“${name}”: ${[countWords(menus, 'menu'), countWords(destinations, 'destination'), ...(scenarios === 0 ? [] : [countWords(scenarios, 'scenario')])].join(', ')}.`,
} as const;

/** The warnings of an import, each a sentence that begins with the menu or the key that it is about. */
export function importWarnings({ notes, more, leftOut }: ImportWarnings): string[] {
  const fields = leftOut.map(({ field, times }) =>
    times === 1 ? brief(field, 60) : `${brief(field, 60)} (${times} times)`,
  );
  return [
    ...notes.map((note) => `${placeText(note.place)}: ${fieldNouns[note.place.field]} ${noteText(note)}`),
    ...(more === 0 ? [] : [`There are ${more} more; the checks of the draft list each of them.`]),
    ...(fields.length === 0 ? [] : [`Left out, because a menu does not have them: ${listed(fields)}.`]),
  ];
}

/** Why a file was not imported, each the end of a sentence that begins with its place. */
export function importErrors(refusals: readonly ImportRefusal[]): FieldError[] {
  return refusals.map((refusal) => ({ field: refusal.at, message: refusalText(refusal) }));
}

function placeText({ menu, key }: ImportPlace): string {
  const isNamed = menu.name.trim() !== '';
  if (key === null) return isNamed ? `Menu ${quoted(menu.name)}` : `Menu ${menu.number}`;
  const label = key.label === null ? `Key number ${key.number}` : keyLabel(key.label);
  return `${label} of ${isNamed ? quoted(menu.name) : `menu ${menu.number}`}`;
}

/** What a warning is about, as the subject of its sentence. */
const fieldNouns: Readonly<Record<ImportField, string>> = {
  name: 'the name',
  description: 'the description',
  recording: 'the prompt',
  timeout: 'the time to press a key',
  incorrect_count: 'the number of retries after a wrong key',
  invalid_recording: 'the prompt after a wrong key',
  invalid_destination: 'the destination after the last wrong key',
  timeout_retry_recording: 'the prompt before a retry',
  timeout_recording: 'the prompt after the last timeout',
  timeout_destination: 'the destination after the last timeout',
  timeout_tries: 'the number of retries after a timeout',
  direct_dial: 'the numbers that callers may dial',
  id: 'the id',
  key: 'the key',
  destination: 'the destination',
  sms_template: 'the SMS template',
  keys: 'the list of keys',
  destinations: 'the list of destinations',
  sms_templates: 'the list of SMS templates',
};

function noteText<C extends keyof ImportWarningParams>({
  code,
  params,
}: {
  readonly code: C;
  readonly params: ImportWarningParams[C];
}): string {
  return noteTexts[code](params);
}

const noteTexts: {
  readonly [C in ImportNote['code']]: (params: ImportWarningParams[C]) => string;
} = {
  missing: () => 'is missing and stays open.',
  not_read: ({ unread }) => `is there in two forms; the one under “${unread}” was left out.`,
  no_option: () => 'is missing, so the menu has no keys.',
  surplus: ({ count }) =>
    `has ${countWords(count, 'more entry', 'more entries')} than the list of keys; left out.`,
  too_many_keys: ({ count, read }) => `has ${count} entries, of which ${read} were read.`,
  not_a_key: ({ found }) => {
    if (found === 'null' || found === 'nothing') return 'is missing and stays open.';
    if (found === 'text' || found === 'number') return 'is blank or too long, so it stays open.';
    return `must be a text, not ${kinds[found]}, so it stays open.`;
  },
  key_without_destination: () => 'is missing, so the key has no destination yet.',
  not_a_destination: ({ of, value }) =>
    `is “${brief(value, 40)}”, which is not a kind of destination with an id, so ${of === 'key' ? 'the key has no destination yet' : 'it stays open'}.`,
  unknown_type: ({ type }) => `is of the unknown kind “${brief(type, 40)}”, so it stays open.`,
  no_id: ({ type }) => `does not say which ${kindInSentence(type)}, so that stays open.`,
  not_a_template: () => 'must be the id of an SMS template; it was left out.',
  contradicts: ({ other }) => `is there twice with different values; the one under “${other}” was read.`,
  not_a_text: ({ found }) => `must be a text, not ${kinds[found]}; it was left out.`,
  too_long: ({ longest }) => `is longer than ${longest} characters and was left out.`,
  unfit_characters: () => 'has invisible or control characters, which were left out.',
  not_a_number: ({ value, found }) =>
    `must be a whole number, not ${value === null ? kinds[found] : `“${brief(value, 40)}”`}, so it stays open.`,
  not_direct_dial: () =>
    'must name directory or a list of numbers, and a digit timeout of 1 to 5 seconds; it was left out.',
  not_a_list: ({ found }) => `must be a list, not ${kinds[found]}; it was left out.`,
  not_an_object: ({ found }) => `must be an object, not ${kinds[found]}; it was left out.`,
  id_twice: () => 'is also the id of an earlier menu; lines lead to that one.',
};

function refusalText<C extends keyof ImportRefusalParams>({
  code,
  params,
}: {
  readonly code: C;
  readonly params: ImportRefusalParams[C];
}): string {
  return refusalTexts[code](params);
}

const refusalTexts: {
  readonly [C in keyof ImportRefusalParams]: (params: ImportRefusalParams[C]) => string;
} = {
  too_large: ({ characters }) => `is larger than 1 MiB (${characters} characters); import it in parts`,
  not_json: notJsonText,
  replaced: ({ line }) =>
    `has � in line ${line}, where another program has lost a letter; type the letter again`,
  foreign: ({ format }) =>
    `is ${foreignNames[format]}, which cannot be imported. Draw it in the designer, or bring its menus as JSON: as a body of POST /v1/ivr, a list of them, or a draft that was exported here`,
  wrong_format: ({ format }) => `must be “${format}”: other formats cannot be read`,
  wrong_version: ({ version }) =>
    `must be ${version}: this file is from another version of Rotavox; update this one to read it`,
  too_many_nodes: ({ most }) =>
    `would have more than ${most} menus and destinations together; import it in parts`,
  no_menus: ({ found }) =>
    `must be a phone menu, a list of them, or an exported draft, not ${found === 'object' ? 'an object without the fields of one' : kinds[found]}`,
  empty_list: () => 'contains no menu',
  not_a_menu: ({ found }) =>
    found === 'object'
      ? 'has none of the fields of a phone menu'
      : `must be a phone menu, not ${kinds[found]}`,
  field: fieldProblemText,
};

const foreignNames: Readonly<Record<ForeignFormat, string>> = {
  dialplan: 'an Asterisk dialplan',
  freeswitch: 'a configuration of FreeSWITCH (XML)',
  studio_flow: 'a flow of Twilio Studio',
  connect_flow: 'a flow of Amazon Connect',
  cfd_flow: 'a flow of the 3CX Call Flow Designer',
  genesys_flow: 'a flow of Genesys Cloud (Archy)',
  kazoo_callflow: 'a callflow of Kazoo',
  voicexml: 'a VoiceXML document',
  twiml: 'TwiML',
  ncco: 'a call control object of Vonage (NCCO)',
  picture: 'a picture of a call flow',
  web_page: 'a web page',
};

const kinds: Readonly<Record<JsonKind, string>> = {
  null: 'null',
  list: 'a list',
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  nothing: 'nothing',
};

function brief(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** How many fields a warning names. */
const namedFields = 30;

function listed(fields: readonly string[]): string {
  const more = fields.length - namedFields;
  return fields.slice(0, namedFields).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
