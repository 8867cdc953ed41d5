import { type WantedColumns, directoryLimit } from '../../contract/menu/directory.ts';
import {
  type FieldFinding,
  type FieldProblem,
  fieldProblemsOf,
  type DirectoryName,
} from '../../contract/field-problem.ts';
import type { DirectoryKind } from '../change-directory.ts';
import { done, refused, type Result } from '../result.ts';
import { type ChosenColumns, chooseColumns, shownHeading } from './choose-columns.ts';
import { type CsvRow, rowsOfCsv } from './read-csv.ts';

/** What a file has for a directory. */
export interface ReadEntries<Entry> {
  readonly entries: readonly Entry[];
  /** The headings that each field was read from. */
  readonly columns: Record<string, string[]>;
  /** Columns with content that were not read, counted from 1. */
  readonly leftOut: readonly { readonly column: number; readonly heading: string }[];
  /** Rows that repeat an earlier one. */
  readonly repeated: number;
  /** Ids of entries without a name in the file: they have their id for one. */
  readonly unnamed: ReadonlySet<string>;
}

/**
 * Reads the rows of a file as entries of a directory. The first row that is not empty has the headings, in any order and case; columns
 * that a directory does not have are left out.
 *
 * Rows are counted as in a spreadsheet: the first is row 1. Empty rows are skipped. Rows are consumed one by one,
 * up to the limit of a directory, so that the caller need not read the whole file. A row that is a refusal is the last
 * one.
 */
export function readEntries<Entry extends { readonly id: string }>(
  kind: DirectoryKind<Entry>,
  rows: Iterable<CsvRow>,
  wanted: WantedColumns = {},
): Result<ReadEntries<Entry>, readonly FieldProblem[]> {
  const errors: FieldProblem[] = [];
  const known = new Map<string, { readonly row: number; readonly entry: Entry }>();
  const filled = new Set<number>();
  const unnamed = new Set<string>();
  let headings: readonly string[] | null = null;
  let chosen: ChosenColumns = { fields: {}, kinds: {} };
  let number = 0;
  let repeated = 0;
  for (const row of rows) {
    number += 1;
    const tell = (field: string, finding: FieldFinding) =>
      errors.push({ ...finding, field: `csv row ${number}${field}` });
    if (!row.ok) {
      tell('', row.refusal);
      break;
    }
    const cells = row.value;
    if (isEmptyRow(cells)) continue;
    if (headings === null) {
      headings = cells;
      const found = chooseColumns(kind, headings, wanted);
      if (!found.ok) {
        for (const finding of found.refusal) tell('', finding);
        break;
      }
      chosen = found.value;
      continue;
    }
    if (!isAsLong(cells, headings, chosen)) {
      tell('', { code: 'cell_count', params: { expected: headings.length, found: cells.length } });
      continue;
    }
    for (const [at, cell] of cells.entries()) if (tidy(cell) !== '') filled.add(at);
    const written = fieldsOf(cells, chosen);
    // Telephone systems have extensions without a name, such as a fax or a door, and show their number (FreePBX, 3CX, FusionPBX).
    const { id: itsId = '', name: itsName } = written;
    const isUnnamed = itsName === '' && itsId !== '';
    const fields = isUnnamed ? { ...written, name: itsId } : written;
    const damages = Object.entries(fields).flatMap(([field, value]) => damageOf(field, value) ?? []);
    for (const { field, ...finding } of damages) tell(`, ${field}`, finding);
    if (damages.length > 0) continue;
    const parsed = kind.entry.safeParse(fields);
    if (!parsed.success) {
      for (const problem of fieldProblemsOf(parsed.error, fields)) tell(`, ${problem.field}`, problem);
      continue;
    }
    const { id } = parsed.data;
    const before = known.get(id);
    if (before === undefined) {
      if (known.size === directoryLimit) {
        tell('', { code: 'too_many_entries', params: { most: directoryLimit, of: kind.name } });
        break;
      }
      known.set(id, { row: number, entry: parsed.data });
      if (isUnnamed) unnamed.add(id);
    } else if (isSameEntry(before.entry, parsed.data)) repeated += 1;
    else tell(', id', { code: 'in_earlier_row', params: { id, row: before.row } });
  }
  if (headings === null && errors.length === 0) {
    return refused([{ field: 'csv', code: 'empty_file', params: null }]);
  }
  if (errors.length > 0) return refused(errors);
  const all = headings ?? [];
  const read = new Set(Object.values(chosen.fields).flat());
  return done({
    entries: Array.from(known.values(), ({ entry }) => entry),
    columns: Object.fromEntries(
      Object.entries(chosen.fields).map(([field, places]) => [
        field,
        places.map((at) => shownHeading(all[at] ?? '')),
      ]),
    ),
    leftOut: [...filled]
      .filter((at) => !read.has(at))
      .sort((one, other) => one - other)
      .map((at) => ({ column: at + 1, heading: shownHeading(all[at] ?? '') })),
    repeated,
    unnamed,
  });
}

/**
 * Whether a row fits the headings. Spreadsheets and address books leave out empty cells at its end, or write more of them
 * (ddeboer/data-import#33, mautic/mautic#610, c4fcm/DataBasic#176).
 */
function isAsLong(cells: readonly string[], headings: readonly string[], { fields }: ChosenColumns): boolean {
  if (cells.slice(headings.length).some((cell) => tidy(cell) !== '')) return false;
  return Object.values(fields).every((places) => places.some((at) => at < cells.length));
}

function fieldsOf(cells: readonly string[], chosen: ChosenColumns): Record<string, string> {
  return Object.fromEntries(Object.keys(chosen.fields).map((field) => [field, cellOf(field, cells, chosen)]));
}

/** The value of a field in a row. */
function cellOf(field: string, cells: readonly string[], { fields, kinds }: ChosenColumns): string {
  const parts = (fields[field] ?? []).map((at) => cells[at] ?? '');
  // A text is sent as it is written.
  if (field === 'text') return parts.join(' ');
  const value = parts
    .map(tidy)
    .filter((part) => part !== '')
    .join(' ');
  if (kinds[field] === 'caller_id') return nameOfCallerId(value);
  return field === 'id' ? value.replace(invisible, '').trim() : value;
}

/** What comes with a number that was copied from a chat or an address book (glific/glific#4815, zetkin/app.zetkin.org#2059). */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function isEmptyRow(cells: readonly string[]): boolean {
  return cells.every((cell) => tidy(cell) === '');
}

/** Without the blanks that pages and spreadsheets have around and within a value; among them those that do not break. */
function tidy(cell: string): string {
  return cell.replace(/[\u00a0\u2007\u202f]/g, ' ').trim();
}

/** `"Front desk" <101>`, as Asterisk writes who calls: the name. */
function nameOfCallerId(value: string): string {
  const open = value.endsWith('>') ? value.lastIndexOf('<') : -1;
  const name = value.slice(0, Math.max(0, open)).replaceAll('"', '').trim();
  return name === '' ? value : name;
}

function isSameEntry(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const months =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mrz|mai|okt|dez|janv|févr|mars|avr|juin|juil|août|sept|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott';

/** What spreadsheets make of numbers that are ids. */
const changedNumbers = [
  // 4.93056E+11, in German 4,93056E+11: what stood behind it is lost (Quartz/bad-data-guide#33). `2E10` may be a room.
  /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$/i,
  // 101.0: a number with a fraction (leftshifters/excel-parser#44).
  /^\d+[.,]0+$/,
  // 49,301,234 or 1.001.
  /^\d{1,3}(?:[.,’']\d{3})+$/,
  // 1/2/2025, 01.02.2025, 2025-01-02, with a time or without.
  /^(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{1,2}\/\d{1,2}\/\d{2}|\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}.*)?$/,
  // 01-Feb, 1. Feb, Feb-01.
  new RegExp(`^(?:\\d{1,2}\\.?[ -](?:${months})\\.?(?:[ -]\\d{2,4})?|(?:${months})\\.?[ -]\\d{2,4})$`, 'i'),
] as const;

/** `#N/A`, `#NAME?`, `#REF!`; and the row of signs of a column that is too narrow. */
const spreadsheetError = /^#(?:N\/A|NV|[A-Z]{2,8}[!?]|DIV\/0!|#+)$/;

const shownValue = 50;

function damageOf(field: string, value: string): FieldProblem[] | null {
  const params = { value: value.slice(0, shownValue) };
  if (spreadsheetError.test(value)) return [{ field, code: 'spreadsheet_error', params }];
  if (field !== 'id') return null;
  if (/^['’]\s*[+\d]/.test(value)) return [{ field, code: 'spreadsheet_apostrophe', params }];
  return changedNumbers.some((changed) => changed.test(value))
    ? [{ field, code: 'spreadsheet_changed', params }]
    : null;
}

/** The columns of a file, for a person to say which of them is which. */
export interface ColumnsPreview {
  /** Of all columns, in order; blank where there is none. */
  readonly headings: readonly string[];
  readonly fields: readonly FieldPreview[];
}

interface FieldPreview {
  readonly field: string;
  /** The indexes of the columns that it is read from; empty: none is known. */
  readonly places: readonly number[];
  /** Its first values. */
  readonly samples: readonly string[];
}

const sampleRows = 3;
/** How many rows are looked at for those: some may be empty. */
const mostRows = 50;

/** Reads the headings and the first rows as an import would; null without any. */
export function previewColumns(
  directory: { readonly name: DirectoryName; readonly columns: readonly string[] },
  csv: string,
  wanted: WantedColumns,
): ColumnsPreview | null {
  const rows: (readonly string[])[] = [];
  let looked = 0;
  for (const row of rowsOfCsv(csv)) {
    looked += 1;
    if (!row.ok || rows.length > sampleRows || looked > mostRows) break;
    if (!isEmptyRow(row.value)) rows.push(row.value);
  }
  const [headings, ...others] = rows;
  if (headings === undefined) return null;
  const fields = directory.columns.map((field) => {
    const chosen = chooseColumns({ name: directory.name, columns: [field] }, headings, wanted);
    const places = chosen.ok ? (chosen.value.fields[field] ?? []) : [];
    const samples = !chosen.ok ? [] : others.map((cells) => cellOf(field, cells, chosen.value));
    return { field, places, samples: samples.filter((value) => value !== '') };
  });
  return { headings: headings.map(shownHeading), fields };
}
