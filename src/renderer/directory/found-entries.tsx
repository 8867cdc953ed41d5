import { useDeferredValue, useEffect, useMemo, useRef } from 'react';

import { Button } from '../kit/button.tsx';
import buttonStyles from '../kit/button.module.css';
import { countWords } from '../kit/count-words.ts';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { downloadFile } from '../kit/save-file.ts';
import { SearchField } from '../kit/search-field.tsx';
import { useAct } from '../kit/use-act.ts';
import type { RowsHandle } from '../kit/virtual-rows.tsx';
import type { Directory, Entry } from './directory.ts';
import { EntryTable } from './entry-table.tsx';
import { findEntries } from './find-entries.ts';
import styles from './found-entries.module.css';
import type { DirectoryChanges } from './use-directory.ts';

/** The entries that are looked for, and the ways to more and out. What is looked for stands in the address. */
export function FoundEntries({
  directory,
  entries,
  changes,
  onAdd,
  onImport,
}: {
  directory: Directory;
  entries: readonly Entry[];
  changes: DirectoryChanges;
  onAdd: () => void;
  onImport: () => void;
}) {
  const { one, many, csvPath } = directory;
  const { state, run } = useAct();
  const text = useSearch().get('q') ?? '';
  const wanted = useDeferredValue(text);
  const found = useMemo(() => findEntries(entries, wanted), [entries, wanted]);
  const rowsRef = useRef<RowsHandle>(null);
  // What is found is looked at from its beginning, wherever one was before.
  useEffect(() => rowsRef.current?.scrollToRow(0), [wanted]);
  const all = countWords(entries.length, one, many);

  return (
    <>
      <search className={styles['bar']}>
        <div className={styles['search']}>
          <SearchField
            what={many}
            placeholder={directory.hasText ? 'Name, id, text …' : 'Name, id …'}
            value={text}
            maxLength={100}
            onChange={(q) => setSearch({ q })}
            onDown={() => rowsRef.current?.focusRow(0)}
          />
        </div>
        <p className={styles['count']} role="status">
          {found.length === entries.length ? all : `${found.length.toLocaleString()} of ${all}`}
        </p>
        <div className={styles['tools']}>
          <Button onPress={onImport}>Import CSV…</Button>
          <a
            href={csvPath}
            download
            className={[buttonStyles['button'], styles['export']].join(' ')}
            onClick={(event) => {
              event.preventDefault();
              void run('export', () => downloadFile(csvPath));
            }}
          >
            Export CSV
          </a>
          <Button rank="main" onPress={onAdd}>
            Add…
          </Button>
        </div>
      </search>
      <FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />
      {found.length === 0 ? (
        <div className={styles['none']}>
          <p>
            No {one} has all of “{text}” in it.
          </p>
          <Button onPress={() => setSearch({ q: undefined })}>Show all</Button>
        </div>
      ) : (
        <EntryTable ref={rowsRef} directory={directory} entries={found} changes={changes} />
      )}
    </>
  );
}
