import { directoryLimit } from '../../contract/directory.ts';
import type { FieldError } from '../../contract/problems.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import { done, refused, type Result } from '../result.ts';
import type { DirectoryKind } from './directory-kind.ts';

/**
 * Reads the rows of a file as entries of a directory; the first row says which column is which, in any order and case.
 *
 * Rows are counted as a spreadsheet shows them: the headings are row 1. Empty rows are passed over. Rows are taken one by
 * one, and no more than the directory may have: who reads a file need not read the rest of it. A row that is a refusal is
 * the last one.
 */
export function entriesOfRows<Entry extends { readonly id: string }>(
  { columns, entries: entriesWord, entry }: DirectoryKind<Entry>,
  rows: Iterable<Result<readonly string[], string>>,
): Result<Entry[], readonly FieldError[]> {
  const entries: Entry[] = [];
  const errors: FieldError[] = [];
  const rowById = new Map<string, number>();
  let named: readonly string[] | null = null;
  let number = 0;
  let filled = 0;
  for (const row of rows) {
    number += 1;
    const tell = (field: string, message: string) =>
      errors.push({ field: `csv row ${number}${field}`, message });
    if (!row.ok) {
      tell('', row.refusal);
      break;
    }
    const cells = row.value;
    if (named === null) {
      named = cells.map((heading) => heading.trim().toLowerCase());
      for (const message of wrongHeadings(named, columns)) tell('', message);
      if (errors.length > 0) break;
      continue;
    }
    if (cells.every((cell) => cell === '')) continue;
    filled += 1;
    if (filled > directoryLimit) {
      tell('', `is one too many: there may be ${directoryLimit} ${entriesWord}`);
      break;
    }
    if (cells.length !== named.length) {
      tell('', `must have ${named.length} cells, as the headings have, not ${cells.length}`);
      continue;
    }
    const fields = Object.fromEntries(named.map((column, at) => [column, cells[at]]));
    const parsed = entry.safeParse(fields);
    if (!parsed.success) {
      for (const { field, message } of fieldErrorsOf(parsed.error, fields)) tell(`, ${field}`, message);
      continue;
    }
    const { id } = parsed.data;
    const before = rowById.get(id);
    if (before === undefined) rowById.set(id, number);
    else tell(', id', `must not be there twice: ${id} is in row ${before} already`);
    entries.push(parsed.data);
  }
  if (named === null && errors.length === 0)
    errors.push(...wrongHeadings([], columns).map((message) => ({ field: 'csv row 1', message })));
  return errors.length === 0 ? done(entries) : refused(errors);
}

function wrongHeadings(named: readonly string[], columns: readonly string[]): string[] {
  const allowed = `the columns are ${columns.join(', ')}`;
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const heading of named) {
    if (!columns.includes(heading))
      wrong.push(`has a column that is not known: “${heading.slice(0, 50)}”; ${allowed}`);
    else if (seen.has(heading)) wrong.push(`has the column ${heading} twice`);
    seen.add(heading);
  }
  const missing = columns.filter((column) => !seen.has(column));
  return [...wrong, ...missing.map((column) => `lacks the column ${column}; ${allowed}`)];
}
