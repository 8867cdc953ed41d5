import { stringify } from 'csv-stringify/sync';
import { done, refused, type Result } from '../../core/result.ts';
import { exactCell, harmlessCell } from './harmless-cell.ts';

/** How many rows are read, empty ones included: several for each entry that a directory may have. */
const mostRows = 50_000;
/** How many cells a row may have; a directory has three columns. */
const mostCells = 100;

/** Rows as a file that spreadsheets open (RFC 4180). */
export function csvOfRows(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => row.map(harmlessCell)),
    { record_delimiter: 'windows' },
  );
}

/**
 * Reads the rows of a CSV text one by one, cells as they were written. Where it is no CSV that can be read on, the last
 * one is a refusal: what is wrong with that row.
 *
 * Separated by commas, or by semicolons when the headings are: that is what spreadsheets write where a comma is part of a
 * number. The end of the first line ends all rows, so that a cell may hold another line break.
 *
 * It reads on the thread that serves everybody, so its cost is bounded: rows and cells are counted while reading, and each
 * character is looked at a fixed number of times. A CSV library would read all of it before it says what is wrong.
 */
export function* rowsOfCsv(csv: string): Generator<Result<readonly string[], string>, void> {
  const [lineEnd = '\n'] = /\r\n|\n|\r/.exec(csv) ?? [];
  const [headings = ''] = csv.split(lineEnd, 1);
  const delimiter = headings.includes(';') && !headings.includes(',') ? ';' : ',';
  const endOfCell = new RegExp(`[${delimiter}"]|${lineEnd}|$`, 'g');

  let at = csv.startsWith('\ufeff') ? 1 : 0;
  let isGood = true;
  for (let row = 1; at < csv.length && isGood; row += 1) {
    const read = row > mostRows ? refused(tooManyRows) : readRow();
    isGood = read.ok;
    yield read;
  }

  function readRow(): Result<string[], string> {
    const cells: string[] = [];
    for (;;) {
      if (cells.length === mostCells) return refused(`has more than ${mostCells} cells`);
      const isQuoted = csv[at] === '"';
      const start = isQuoted ? at + 1 : at;
      const end = isQuoted ? closingQuote(csv, start) : indexOfMatch(endOfCell, csv, start);
      if (end === null) return refused('has a quotation mark (") that is not closed');
      const cell = csv.slice(start, end);
      cells.push(exactCell(isQuoted ? cell.replaceAll('""', '"') : cell));

      at = isQuoted ? end + 1 : end;
      if (csv[at] !== delimiter) break;
      at += 1;
    }
    if (csv.startsWith(lineEnd, at)) at += lineEnd.length;
    else if (at < csv.length) return refused(csv[at] === '"' ? quoteInCell : behindQuote);
    return done(cells);
  }
}

const tooManyRows = `is one too many: a file may have ${mostRows} rows, empty ones included`;
const behindQuote = 'has something behind the quotation mark (") that ends a cell';
const quoteInCell =
  'has a quotation mark (") in the middle of a cell; a cell with one is put in quotation marks, and it is doubled';

/** Where the quotation mark is that ends a cell: the first one that is not doubled. */
function closingQuote(csv: string, start: number): number | null {
  let at = csv.indexOf('"', start);
  while (at !== -1 && csv[at + 1] === '"') at = csv.indexOf('"', at + 2);
  return at === -1 ? null : at;
}

function indexOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}
