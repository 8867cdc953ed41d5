import type { z } from 'zod';

/** What is wrong with a field of a request or of a file, as codes and parameters. `text/window/field-errors.ts` has the sentences. */
export interface FieldProblemParams {
  /** What the schema says. */
  rule: { readonly rule: string };
  /** A field that is missing; `rule` is what the schema says about its value. */
  required: { readonly rule: string };
  not_a_field: null;
  not_an_object: null;

  /* Tokens. */
  not_a_token_id: null;
  not_in_the_future: null;
  /** The validity of the token allows no later end than this instant. */
  after_validity: { readonly latest: string };

  /* The body of an IVR. */
  not_an_ivr: null;
  key_twice: { readonly key: string };
  destination_count: { readonly options: number; readonly destinations: number };
  surplus_templates: { readonly options: number; readonly templates: number };
  /** Warnings: what was left out. */
  left_out: null;
  more_left_out: { readonly count: number };
  templates_off: null;

  /* The menus that a new draft is said to have in this service. */
  not_a_menu_of_draft: null;
  not_stored_here: null;
  stored_twice: null;

  /* Directories and their files. */
  directory_full: { readonly most: number; readonly of: DirectoryName | 'pronunciations' };
  too_many_entries: { readonly most: number; readonly of: DirectoryName };
  listed_twice: { readonly id: string };
  also_removed: { readonly id: string };
  in_earlier_row: { readonly id: string; readonly row: number };
  cell_count: { readonly expected: number; readonly found: number };
  unknown_column: { readonly column: string; readonly columns: readonly string[] };
  column_twice: { readonly column: string };
  missing_column: { readonly column: string; readonly columns: readonly string[] };
  empty_file: null;
  too_many_cells: { readonly most: number };
  too_many_rows: { readonly most: number };
  /** A cell is not what was entered: a number as a power of ten, a date, with an apostrophe, or an error of the spreadsheet. */
  spreadsheet_changed: { readonly value: string };
  spreadsheet_apostrophe: { readonly value: string };
  spreadsheet_error: { readonly value: string };
  quote_not_closed: null;
  quote_in_cell: null;
  text_after_quote: null;

  /* Opening hours. */
  no_such_date: { readonly date: string };
  date_twice: { readonly date: string };
  unknown_zone: { readonly zone: string };
}

export type DirectoryName = 'extensions' | 'sms_templates';

/** What is wrong, without the field. */
export type FieldFinding = {
  [C in keyof FieldProblemParams]: { readonly code: C; readonly params: FieldProblemParams[C] };
}[keyof FieldProblemParams];

/** `field`: its path, such as `option[2]`; blank for all of the body. */
export type FieldProblem = FieldFinding & { readonly field: string };

/** What a schema found wrong with an input, field by field. Each is said once, also where several rules have the same words. */
export function fieldProblemsOf(error: z.ZodError, input: unknown): FieldProblem[] {
  const said = new Set<string>();
  return allProblemsOf(error, input).filter((problem) => {
    const words = JSON.stringify(problem);
    const isNew = !said.has(words);
    said.add(words);
    return isNew;
  });
}

function allProblemsOf(error: z.ZodError, input: unknown): FieldProblem[] {
  return error.issues.flatMap((issue): FieldProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: pathOf([...issue.path, key]),
        code: 'not_a_field',
        params: null,
      }));
    }
    const field = pathOf(issue.path);
    if (isMissing(input, issue.path)) return [{ field, code: 'required', params: { rule: issue.message } }];
    // Of a body that has no words of its own, zod's would name its types.
    const isOfZod =
      issue.code === 'invalid_type' && field === '' && issue.message.startsWith('Invalid input');
    return [
      isOfZod
        ? { field, code: 'not_an_object', params: null }
        : { field, code: 'rule', params: { rule: issue.message } },
    ];
  });
}

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false;
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value === undefined;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, place) =>
      typeof part === 'number' ? `[${part}]` : `${place === 0 ? '' : '.'}${shortName(String(part))}`,
    )
    .join('');
}

/** How much of a name is quoted that a caller gave a field. */
const quotedLength = 100;

/** A field's name in a message: it comes from the sender, and may be as long as the whole body. */
export function shortName(name: string): string {
  return name.length > quotedLength ? `${name.slice(0, quotedLength)}…` : name;
}

/** What a schema of a call flow expects, if it has no message itself. */
export function expectedWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => `“${String(value)}”`).join(' or ')}`;
  if (issue.code === 'invalid_union') return 'must be one that a call flow has';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue)}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue)}`;
  return undefined;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function unitOf({ origin }: { readonly origin?: unknown }): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
