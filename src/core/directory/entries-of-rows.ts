import type { FieldError } from '../../contract/problems.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { done, refused, type Result } from '../result.ts';
import type { DirectoryKind } from './directory-kind.ts';

/** How many rows that are wrong are named at once. */
const namedErrors = 20;

/**
 * Reads the rows of a file as entries of a directory; the first row says which column is which, in any order and case.
 *
 * Rows are counted as a spreadsheet shows them: the headings are row 1. Empty rows are passed over.
 */
export function entriesOfRows<Entry extends { readonly id: string }>(
  { columns, entry }: DirectoryKind<Entry>,
  [headings, ...rows]: readonly (readonly string[])[],
): Result<Entry[], readonly FieldError[]> {
  const named = (headings ?? []).map((heading) => heading.trim().toLowerCase());
  const wrong = wrongHeadings(named, columns);
  if (wrong.length > 0) return refused(wrong);

  const entries: Entry[] = [];
  const errors: FieldError[] = [];
  const rowById = new Map<string, number>();
  for (const [place, row] of rows.entries()) {
    if (row.every((cell) => cell === '')) continue;
    const number = place + 2;
    const tell = (field: string, message: string) =>
      errors.push({ field: `csv row ${number}${field}`, message });
    if (row.length !== named.length) {
      tell('', `must have ${named.length} cells, as the headings have, not ${row.length}`);
      continue;
    }
    const cells = Object.fromEntries(named.map((column, at) => [column, row[at]]));
    const parsed = entry.safeParse(cells);
    if (!parsed.success) {
      for (const { field, message } of fieldErrorsOf(parsed.error, cells)) tell(`, ${field}`, message);
      continue;
    }
    const { id } = parsed.data;
    const before = rowById.get(id);
    if (before === undefined) rowById.set(id, number);
    else tell(', id', `must not be there twice: ${id} is in row ${before} already`);
    entries.push(parsed.data);
  }
  if (errors.length <= namedErrors) return errors.length === 0 ? done(entries) : refused(errors);
  const left = {
    field: 'csv',
    message: `has ${errors.length - namedErrors} more rows or cells that are wrong`,
  };
  return refused([...errors.slice(0, namedErrors), left]);
}

function wrongHeadings(named: readonly string[], columns: readonly string[]): FieldError[] {
  const allowed = `the columns are ${columns.join(', ')}`;
  const unknown = named.filter((heading) => !columns.includes(heading));
  const twice = named.filter((heading, place) => named.indexOf(heading) !== place);
  const missing = columns.filter((column) => !named.includes(column));
  return [
    ...unknown.map((heading) => `has a column that is not known: “${heading.slice(0, 50)}”; ${allowed}`),
    ...twice.map((heading) => `has the column ${heading} twice`),
    ...missing.map((column) => `lacks the column ${column}; ${allowed}`),
  ].map((message) => ({ field: 'csv row 1', message }));
}
