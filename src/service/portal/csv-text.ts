import { stringify } from 'csv-stringify/sync';

const formula = /^'*[=+\-@\t\r]/;

/**
 * Keeps a spreadsheet from running a cell as a formula: a cell that begins like one gets an apostrophe before it (OWASP,
 * "CSV Injection"), because callers choose names and user agents.
 *
 * A cell that already begins with apostrophes gets one more, so that `exactCell` returns every text unchanged.
 */
export function harmlessCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Reverses `harmlessCell`. */
export function exactCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/** Rows as a file that spreadsheets open (RFC 4180). */
export function csvOfRows(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map(harmlessCell)),
    { record_delimiter: 'windows', quoted_match: '\r' },
  );
}
