import styles from './import-preview.module.css';
import type { ImportState } from './use-import.ts';

/** As many as are named; of more only the number is said. */
const named = 12;

/** What an import would do, by id; or what is wrong with it, line by line. */
export function ImportPreview({ state }: { state: ImportState }) {
  return (
    <div role="status" className={styles['preview']}>
      <Words state={state} />
    </div>
  );
}

function Words({ state }: { state: ImportState }) {
  switch (state.kind) {
    case 'nothing':
      return null;
    case 'looking':
      return <p>Reading …</p>;
    case 'refused':
      if (state.errors.length === 0) return null;
      return (
        <>
          <p className={styles['bad']}>Nothing can be imported until this is mended:</p>
          <ul className={styles['errors']}>
            {state.errors.slice(0, named).map(({ field, message }, place) => (
              <li key={place}>
                {rowWords(field)} {message}
              </li>
            ))}
          </ul>
          <Rest count={state.errors.length - named} />
        </>
      );
    case 'preview':
    case 'importing': {
      const { added, changed, unchanged } = state.would;
      return (
        <>
          <Ids what="Adds" ids={added} />
          <Ids what="Changes" ids={changed} />
          {unchanged === 0 ? null : <p>{unchanged.toLocaleString()} are as they are here.</p>}
          {added.length + changed.length === 0 ? <p>There is nothing to import.</p> : null}
        </>
      );
    }
  }
}

/** The service counts rows as a spreadsheet does, and calls them `csv row 3, id`. */
function rowWords(field: string): string {
  return field.replace(/^csv row/, 'Row').replace(/^csv$/, 'The file');
}

function Ids({ what, ids }: { what: string; ids: readonly string[] }) {
  if (ids.length === 0) return null;
  const shown = ids.slice(0, named).join(', ');
  const rest = ids.length - named;
  return (
    <p>
      <strong>
        {what} {ids.length.toLocaleString()}:
      </strong>{' '}
      {shown}
      {rest > 0 ? ` and ${rest.toLocaleString()} more` : ''}
    </p>
  );
}

function Rest({ count }: { count: number }) {
  return count > 0 ? <p>And {count.toLocaleString()} more.</p> : null;
}
