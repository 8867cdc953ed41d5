import type { FieldFinding } from '../../contract/field-problem.ts';
import { done, refused, type Result } from '../result.ts';

/** How many rows are read, empty ones included: several for each entry that a directory may have. */
const mostRows = 50_000;
/** How many cells a row may have: the export of a telephone system has a column for each setting, FreePBX more than a hundred. */
const mostCells = 500;

/** A row, or what is wrong with it. */
export type CsvRow = Result<readonly string[], FieldFinding>;

/**
 * Reads the rows of a CSV text one by one, with cells exactly as written. If the text cannot be read further, the last
 * result is a refusal that says what is wrong with that row.
 *
 * The separator is the one that Excel's own line `sep=;` names, otherwise the comma, semicolon or tab that the heading row has most
 * of: spreadsheets write semicolons where a comma is the decimal separator, and tabs as “Unicode text”. Any line break ends a row: files
 * are put together of parts with different ones (pola-rs/polars#5729, Rdatatable/data.table#1183). In quotation marks it belongs to the cell.
 *
 * It runs on the service's main thread, so its cost is bounded: rows and cells are counted while reading, and each
 * character is read a fixed number of times. A CSV library would read all of it before reporting an error.
 */
export function* rowsOfCsv(csv: string): Generator<CsvRow, void> {
  const named = /^\ufeff?"?sep=([^"\w\s]|\t)"?[;,\t]*(?:\r\n|\n|\r|$)/i.exec(csv);
  const start = named?.[0].length ?? (csv.startsWith('\ufeff') ? 1 : 0);
  const delimiter = named?.[1] ?? delimiterOf(csv, start);
  const endOfCell = new RegExp(`[\\${delimiter}"\r\n]|$`, 'g');

  let at = start;
  let isGood = true;
  for (let row = 1; at < csv.length && isGood; row += 1) {
    const read =
      row > mostRows ? refused({ code: 'too_many_rows', params: { most: mostRows } } as const) : readRow();
    isGood = read.ok;
    yield read;
  }

  function readRow(): Result<string[], FieldFinding> {
    const cells: string[] = [];
    for (;;) {
      if (cells.length === mostCells) return refused({ code: 'too_many_cells', params: { most: mostCells } });
      const opening = openingAt(csv, at);
      const isFormula = opening === '="';
      const isQuoted = opening !== '';
      const start = at + opening.length;
      const end = isQuoted ? closingQuote(csv, start) : indexOfMatch(endOfCell, csv, start);
      if (end === null) return refused({ code: 'quote_not_closed', params: null });
      const cell = csv.slice(start, end);
      const text = isQuoted ? cell.replaceAll('""', '"') : cell;
      cells.push(isFormula ? text : (textOfFormula(text) ?? exactCell(text)));

      at = isQuoted ? end + 1 : end;
      if (csv[at] !== delimiter) break;
      at += 1;
    }
    if (csv.startsWith('\r\n', at)) at += 2;
    else if (csv[at] === '\n' || csv[at] === '\r') at += 1;
    else if (at < csv.length) {
      return refused({ code: csv[at] === '"' ? 'quote_in_cell' : 'text_after_quote', params: null });
    }
    return done(cells);
  }
}

/** What stands before the text of a cell: the start of a formula, a quotation mark or nothing. */
function openingAt(csv: string, place: number): string {
  if (csv.startsWith('="', place)) return '="';
  return csv[place] === '"' ? '"' : '';
}

/**
 * The text in a formula that is nothing else: `="0101"`, in quotation marks or not. Programs write numbers so to keep a spreadsheet
 * from changing them. Our own export puts an apostrophe before a text that looks like this, so it is read unchanged.
 */
function textOfFormula(cell: string): string | null {
  return /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? null;
}

/** The separator that the first row has most of. What stands between quotation marks does not count. */
function delimiterOf(csv: string, start: number): string {
  const counts = new Map([
    ['\t', 0],
    [';', 0],
    [',', 0],
  ]);
  const signs = /["\t;,\r\n]/g;
  signs.lastIndex = start;
  let isQuoted = false;
  for (let found = signs.exec(csv); found !== null; found = signs.exec(csv)) {
    const [sign] = found;
    const count = counts.get(sign);
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (count === undefined) break;
    else counts.set(sign, count + 1);
  }
  const most = Math.max(...counts.values());
  const [delimiter = ','] = [...counts].find(([, count]) => count === most && most > 0) ?? [];
  return delimiter;
}

/** The position of the quotation mark that ends a cell: the first that is not doubled. */
function closingQuote(csv: string, start: number): number | null {
  let at = csv.indexOf('"', start);
  while (at !== -1 && csv[at + 1] === '"') at = csv.indexOf('"', at + 2);
  return at === -1 ? null : at;
}

function indexOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

/**
 * What spreadsheets take for a formula, also behind characters that nobody sees. Line breaks count: programs that read line by line
 * begin anew after them.
 */
const formula = /^'*[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]*(?:[=+\-\u2212@|]|[\t\r\n])/u;

/** Full-width, small and raised signs are the plain ones here: some programs make them those first. */
function isFormula(cell: string): boolean {
  return formula.test(cell) || formula.test(cell.normalize('NFKD'));
}

/**
 * Keeps a spreadsheet from running a cell as a formula: a cell that begins like one gets an apostrophe before it (OWASP,
 * "CSV Injection"), because callers choose names and user agents.
 *
 * A cell that already begins with apostrophes gets one more, so that `exactCell` returns every text unchanged.
 */
export function harmlessCell(cell: string): string {
  return isFormula(cell) ? `'${cell}` : cell;
}

/** Reverses `harmlessCell`. */
export function exactCell(cell: string): string {
  return cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
}
