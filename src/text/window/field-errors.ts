import type { DirectoryName, FieldProblem, FieldProblemParams } from '../../contract/field-problem.ts';
import type { FieldError } from '../../contract/problems.ts';
import { countWords } from '../count.ts';

/** What is wrong with the fields of a request or a file: each the end of a sentence that begins with the field. */
export function fieldErrors(problems: readonly FieldProblem[]): FieldError[] {
  return problems.map((problem) => ({ field: problem.field, message: fieldProblemText(problem) }));
}

/** How many errors one answer names. */
const namedErrors = 50;

/** As many errors as an answer names, and how many more there are: a body can be wrong in a million places. */
export function nameErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const more = errors.length - namedErrors;
  if (more <= 0) return errors;
  const message = more === 1 ? 'has 1 more error' : `has ${more} more errors`;
  return [...errors.slice(0, namedErrors), { field: '', message }];
}

/** All of them in one line, for a message. */
export function joinFieldErrors(errors: readonly FieldError[]): string {
  return errors
    .map(({ field, message }) => (field === '' ? `The body ${message}` : `${field} ${message}`))
    .join('; ');
}

/** With a full stop, where it has none yet. */
export function asSentence(text: string): string {
  return /[.!?…]”?$/.test(text) ? text : `${text}.`;
}

/** What is wrong, without the field. */
export function fieldProblemText<C extends keyof FieldProblemParams>({
  code,
  params,
}: {
  readonly code: C;
  readonly params: FieldProblemParams[C];
}): string {
  return sentences[code](params);
}

const entriesNames: Readonly<Record<DirectoryName | 'pronunciations', string>> = {
  extensions: 'extensions',
  sms_templates: 'SMS templates',
  pronunciations: 'pronunciations',
};

const sentences: {
  readonly [C in keyof FieldProblemParams]: (params: FieldProblemParams[C]) => string;
} = {
  rule: ({ rule }) => rule,
  required: ({ rule }) => `is required; it ${rule}`,
  not_a_field: () => 'is not a field of this request',
  not_an_object: () => 'must be a JSON object',

  not_a_token_id: () => 'must be the id of a token',
  not_in_the_future: () => 'must be in the future',
  after_validity: ({ latest }) => `must not be later than the validity allows: ${latest}`,

  not_an_ivr: () => 'must be a JSON object with the fields of an IVR',
  key_twice: ({ key }) => `must not have a key twice: ${key}`,
  destination_count: ({ options, destinations }) =>
    `must have one destination for each option: ${options}, not ${destinations}`,
  surplus_templates: ({ options, templates }) =>
    `must have at most as many entries as option: ${options}, not ${templates}`,
  left_out: () => 'is not a field of an IVR and was left out',
  more_left_out: ({ count }) => `has ${count} more fields that are not an IVR's and were left out`,
  templates_off: () =>
    'was left out: the SMS template setting is off. Turn on sms_templates_enabled to apply it.',

  not_a_menu_of_draft: () => 'must be under the id of a menu of the document',
  not_stored_here: () => 'must be the id of a menu that is stored in this service',
  stored_twice: () => 'must not also be the id of another menu of the document',

  directory_full: ({ most, of }) => `must not bring the directory to more than ${most} ${entriesNames[of]}`,
  too_many_entries: ({ most, of }) => `is one too many: there may be ${most} ${entriesNames[of]}`,
  listed_twice: ({ id }) => `must not be there twice: ${id}`,
  also_removed: ({ id }) => `must not be in remove too: ${id}`,
  in_earlier_row: ({ id, row }) => `must not be there twice: ${id} is already in row ${row}`,
  cell_count: ({ expected, found }) =>
    `must have ${countWords(expected, 'cell')}, as many as the headings, not ${found}`,
  unknown_column: ({ column, columns }) => `has no column “${column}”; ${columnsText(columns)}`,
  column_twice: ({ column }) => `has the column ${column} twice`,
  missing_column: ({ column, columns }) =>
    `has no heading that is known for ${column}; ${columnsText(columns)}. Say which of them it is`,
  empty_file: () => 'contains no rows',
  too_many_cells: ({ most }) => `has more than ${most} cells`,
  too_many_rows: ({ most }) => `is one too many: a file may have ${most} rows, including empty ones`,
  spreadsheet_changed: ({ value }) =>
    `was changed by the spreadsheet to “${value}”. Format the column as text there, enter it again and save the file`,
  spreadsheet_apostrophe: ({ value }) =>
    `has the apostrophe with which a spreadsheet marks text: “${value}”. Remove it, and format the column as text there`,
  spreadsheet_error: ({ value }) =>
    `is “${value}”, which a spreadsheet shows instead of a value. Correct the cell there and save the file`,
  quote_not_closed: () => 'has a quotation mark (") that is not closed',
  quote_in_cell: () =>
    'has a quotation mark (") in the middle of a cell. Put such a cell in quotation marks and double the one in it',
  text_after_quote: () => 'has text after the quotation mark (") that ends a cell',

  no_such_date: ({ date }) => `must be a date that exists, not ${date}`,
  date_twice: ({ date }) => `must not be there twice: ${date}`,
  unknown_zone: ({ zone }) => `must be a time zone that is known here, such as Europe/Berlin, not “${zone}”`,
};

function columnsText(columns: readonly string[]): string {
  return `its columns are ${columns.join(', ')}`;
}
