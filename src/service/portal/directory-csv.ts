import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { FieldError } from '../../contract/problems.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { exactCell, harmlessCell } from './harmless-cell.ts';

/** Rows as a file that spreadsheets open (RFC 4180). */
export function csvOfRows(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map(harmlessCell)),
    { record_delimiter: 'windows' },
  );
}

/**
 * The rows of a CSV text, cells as they were written; or where it is no CSV.
 *
 * Separated by commas, or by semicolons when the headings are: that is what spreadsheets write where a comma is part of a
 * number.
 */
export function rowsOfCsv(csv: string): Result<string[][], readonly FieldError[]> {
  const [headings = ''] = csv.split(/\r|\n/, 1);
  const delimiter = headings.includes(';') && !headings.includes(',') ? ';' : ',';
  try {
    const rows = parse(csv, { bom: true, delimiter, relax_column_count: true });
    return done(rows.map((row) => row.map(exactCell)));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = typeof error['records'] === 'number' ? error['records'] + 1 : 1;
    return refused([
      { field: `csv row ${row}`, message: words[error.code] ?? `is not CSV: ${error.message}` },
    ]);
  }
}

const words: Readonly<Partial<Record<CsvError['code'], string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark (") that is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'has something behind the quotation mark (") that ends a cell',
  INVALID_OPENING_QUOTE:
    'has a quotation mark (") in the middle of a cell; a cell with one is put in quotation marks, and it is doubled',
};
