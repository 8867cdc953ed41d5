import { stringify } from 'csv-stringify/sync';
import { harmlessCell } from '../../core/directory-file/read-csv.ts';

/** Rows as a file that spreadsheets open (RFC 4180). */
export function csvOfRows(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map(harmlessCell)),
    // All but plain words in quotes: a line feed begins no row, and a `;` no cell where that separates them, as in a German Excel.
    { record_delimiter: 'windows', quoted_match: /[^\p{L}\p{N}_ .:-]/u },
  );
}
