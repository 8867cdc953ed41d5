import type { WantedColumns } from '../../contract/menu/directory.ts';
import type { DirectoryName } from '../../contract/field-problem.ts';
import { chooseColumns, shownHeading } from './choose-columns.ts';
import { rowsOfCsv } from './read-csv.ts';
import { cellOf, isEmptyRow } from './read-entries.ts';

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
