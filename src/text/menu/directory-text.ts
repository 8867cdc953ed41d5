import type { DirectoryImported } from '../../contract/menu/directory.ts';
import { countWords } from '../count.ts';
import { quotedName } from '../names.ts';

/** What the windows of extensions and SMS templates share. */
export const directoryText = {
  back: 'Settings',
  columns: { id: 'Id', name: 'Name', text: 'Text', actions: 'Actions' },
  add: 'Add…',
  import: 'Import CSV…',
  export: 'Export CSV',
  edit: 'Edit',
  remove: 'Remove',
  actions: (name: string) => `Actions for ${quotedName(name)}`,
  save: 'Save',
  cancel: 'Cancel',
  undo: 'Undo',
  searchHint: 'Name, id …',
  searchHintText: 'Name, id, text …',
  found: (found: number, all: string) => `${found.toLocaleString()} of ${all}`,
  none: (sought: string) => `No matches for “${sought}”.`,
  showAll: 'Show all',
  removed: (name: string, id: string) => `${quotedName(name)} (${id}) was removed.`,
  nameOf: (id: string) => `Name of ${id}`,
  textOf: (id: string) => `Text of ${id}`,
  id: { label: 'Id', subject: 'This' },
  name: { label: 'Name', subject: 'This' },
  text: { label: 'Text', subject: 'This' },
  addButton: 'Add',
  taken: (name: string) => `${quotedName(name)} already has this id. Edit it in the list.`,
  csvHeading: 'The first row of a CSV file has the headings, such as {heading}.',
} as const;

/** The extensions. */
export const extensionsText = {
  title: 'Extensions',
  one: 'extension',
  many: 'extensions',
  lead: 'Who a phone menu can lead to, by the id that the telephone system uses.',
  addTitle: 'Add an extension',
  idHint: 'As the telephone system knows it, such as 101. A menu names it as extension||101.',
  afterRemoval: 'Menus that lead to it are not changed.',
  first: 'Add the first extension',
  empty:
    'No extensions yet. With them the designer shows names instead of ids only, and reports a mistyped id before a caller reaches it.',
} as const;

/** The SMS templates. */
export const smsTemplatesText = {
  title: 'SMS templates',
  one: 'SMS template',
  many: 'SMS templates',
  lead: 'Texts that are sent to callers who press a key with an SMS template.',
  addTitle: 'Add an SMS template',
  idHint: 'What a menu names it by, such as opening-hours.',
  afterRemoval: 'Menus that name it are not changed.',
  first: 'Add the first SMS template',
  empty:
    'No SMS templates yet. With them the designer shows names instead of ids only, and reports a mistyped id before a caller reaches it.',
  off: 'SMS templates are switched off: menus ignore them. You can write them now and {link} when you want to use them.',
  switchOn: 'switch them on in the settings',
} as const;

/** The dialog that imports entries from CSV. */
export const directoryImportText = {
  title: (many: string) => `Import ${many}`,
  lead: 'The first row has the headings, such as {heading}. A known id is changed, any other is added; nothing is removed. Files of spreadsheets and telephone systems are read, too.',
  columns: 'Columns of the file',
  column: (field: string) => `${field[0]?.toUpperCase() ?? ''}${field.slice(1)} is in`,
  chooseColumn: 'Choose a column',
  columnName: (heading: string, column: number) => (heading === '' ? `Column ${column}` : heading),
  samples: (values: readonly string[]) => values.join(' · '),
  noSamples: 'No values yet',
  choose: 'Choose a file…',
  file: 'CSV file',
  paste: 'Or paste it here',
  cancel: 'Cancel',
  import: (count: number) => (count === 0 ? 'Import' : `Import ${count.toLocaleString()}`),
  importing: 'Importing …',
  reading: 'Reading …',
  errors: 'Nothing can be imported until these errors are fixed:',
  more: (count: number) => `And ${count.toLocaleString()} more.`,
  adds: (count: number) => `Adds ${count.toLocaleString()}:`,
  changes: (count: number) => `Changes ${count.toLocaleString()}:`,
  ids: (ids: string, more: number) => (more > 0 ? `${ids} and ${more.toLocaleString()} more` : ids),
  unchanged: (count: number) => `${countWords(count, 'entry', 'entries')} unchanged.`,
  nothing: 'There is nothing to import.',
  /** The service counts rows as a spreadsheet does, and calls them `csv row 3, id`. */
  row: (field: string, message: string) =>
    `${field.replace(/^csv row/, 'Row').replace(/^csv$/, 'The file')} ${message}`,
} as const;

/** How many columns a note names. */
const namedColumns = 8;

/** The columns of a file that were read, where a heading is not the field's own name; null otherwise. */
export function columnsNote({ columns }: Pick<DirectoryImported, 'columns'>): string | null {
  const all = Object.entries(columns);
  const isOwn = all.every(
    ([field, headings]) => headings.length === 1 && headings[0]?.toLowerCase() === field,
  );
  if (isOwn) return null;
  const parts = all.map(
    ([field, headings]) => `${field} from ${headings.map((heading) => `“${heading}”`).join(' and ')}`,
  );
  return `Read: ${parts.join(', ')}.`;
}

/** What an import did not take of a file, each a sentence. */
export function importNotes({
  left_out: leftOut,
  repeated,
  unnamed,
  zeros_lost: zerosLost,
  unreachable,
}: Pick<DirectoryImported, 'left_out' | 'repeated' | 'unnamed' | 'zeros_lost' | 'unreachable'>): string[] {
  const named = leftOut
    .slice(0, namedColumns)
    .map(({ column, heading }) => (heading === '' ? `column ${column}` : heading));
  const more = leftOut.length - named.length;
  const columns = `${named.join(', ')}${more > 0 ? ` and ${more.toLocaleString()} more` : ''}`;
  return [
    ...(leftOut.length === 0 ? [] : [`Columns that were left out: ${columns}.`]),
    ...unreachable.map(({ id, suggested }) =>
      suggested === null
        ? `No call can reach ${quotedName(id)}: a telephone system takes letters, digits and * # + - _ only.`
        : `No call can reach ${quotedName(id)}. Write ${suggested}.`,
    ),
    ...zerosLost.map(
      ({ id, known }) =>
        `${id} is new, and there is ${known}: a spreadsheet may have taken the zero away. If it has, remove ${id}, and format the column as text there.`,
    ),
    ...(unnamed === 0
      ? []
      : [
          `${countWords(unnamed, 'entry has', 'entries have')} no name in the file: new ones are named by their id, known ones keep their name.`,
        ]),
    ...(repeated === 0 ? [] : [`${countWords(repeated, 'row repeats', 'rows repeat')} an earlier one.`]),
  ];
}

interface Length {
  readonly coding: string;
  readonly segments: number;
  readonly left: number;
  /** The character that GSM-7 does not have; null without one. */
  readonly culprit: string | null;
}

/** How many messages a text is sent as: `2 messages, 131 left`. */
export function smsLengthText({ segments, left }: Length): string {
  return segments === 0 ? 'No text yet' : `${countWords(segments, 'message')}, ${left} left`;
}

/** The same with the coding, and the character that needs it. */
export function smsCodingText(length: Length): string {
  const reason = length.culprit === null ? '' : `, because of “${length.culprit}”`;
  return `${smsLengthText(length)} (${length.coding}${reason})`;
}

/** Why it is so long, where one character is the reason; null otherwise. */
export function smsCulpritText({ culprit, segments }: Length): string | null {
  if (culprit === null || segments === 0) return null;
  const shown = culprit.trim() === '' ? 'A special space' : `“${culprit}”`;
  return `${shown} is not in the GSM alphabet, so one message holds 70 characters instead of 160.`;
}
