import { type Ref, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import buttonStyles from '../kit/button.module.css';
import { ActionButton, Button } from '../kit/button.tsx';
import { countWords } from '../../text/count.ts';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { havingWords } from '../kit/having-words.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { downloadFile } from '../kit/save-file.ts';
import { SearchField } from '../kit/search-field.tsx';
import { useAct } from '../kit/use-act.ts';
import { useMedia } from '../kit/use-media.ts';
import { type RowsHandle, VirtualRows } from '../kit/virtual-rows.tsx';
import type { Directory, DirectoryChanges, Entry } from './directory.ts';
import { EntryForm } from './entry-form.tsx';
import entryRowStyles from './directory.module.css';
import { smsLength, smsLengthWords } from './sms-length.ts';

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
      <search className={entryRowStyles['bar']}>
        <div className={entryRowStyles['search']}>
          <SearchField
            what={many}
            placeholder={directory.hasText ? 'Name, id, text …' : 'Name, id …'}
            value={text}
            maxLength={100}
            onChange={(q) => setSearch({ q })}
            onDown={() => rowsRef.current?.focusRow(0)}
          />
        </div>
        <p className={entryRowStyles['count']} role="status">
          {found.length === entries.length ? all : `${found.length.toLocaleString()} of ${all}`}
        </p>
        <div className={entryRowStyles['tools']}>
          <Button onPress={onImport}>Import CSV…</Button>
          <a
            href={csvPath}
            download
            className={[buttonStyles['button'], entryRowStyles['export']].join(' ')}
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
        <div className={entryRowStyles['none']}>
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

/** What a row needs, wide and narrow, without and with a text: in pixels at a root size of 16. Also while it is edited. */
const rowHeights = { bare: { wide: 56, narrow: 128 }, text: { wide: 128, narrow: 240 } } as const;
const headHeight = 40;
/** Below this the cells of a row stand below each other. */
const wide = '(min-width: 48.01rem)';

/** The entries of a directory, of which those in sight are drawn. One at a time can be changed where it stands. */
function EntryTable({
  ref,
  directory,
  entries,
  changes,
}: {
  ref: Ref<RowsHandle>;
  directory: Directory;
  entries: readonly Entry[];
  changes: DirectoryChanges;
}) {
  // Kept here and not in its row, which is taken away when it is scrolled out of sight.
  const [draft, setDraft] = useState<Entry | null>(null);
  const isWide = useMedia(wide);
  const rowHeight = rowHeights[directory.hasText ? 'text' : 'bare'][isWide ? 'wide' : 'narrow'];
  const allHeight = entries.length * rowHeight + (isWide ? headHeight : 0) + 2;

  return (
    <div
      className={entryRowStyles['table']}
      data-has-text={directory.hasText}
      style={{ height: `min(${allHeight / 16}rem, max(24rem, 100vh - 18rem))` }}
    >
      <VirtualRows
        ref={ref}
        role="table"
        label={directory.title}
        count={entries.length}
        rowHeight={rowHeight}
        head={isWide ? <Heads hasText={directory.hasText} /> : undefined}
        renderRow={(index) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return draft?.id === entry.id ? (
            <EntryForm
              draft={draft}
              changes={changes}
              onDraft={setDraft}
              onDone={() => {
                setDraft(null);
              }}
            />
          ) : (
            <EntryRow
              entry={entry}
              onEdit={() => setDraft(entry)}
              onRemove={() => void changes.remove(entry)}
            />
          );
        }}
      />
    </div>
  );
}

function Heads({ hasText }: { hasText: boolean }) {
  return (
    <div className={entryRowStyles['heads']} role="presentation">
      <span role="columnheader">Id</span>
      <span role="columnheader">Name</span>
      {hasText ? <span role="columnheader">Text</span> : null}
      <span role="columnheader" className={entryRowStyles['unseen']}>
        Actions
      </span>
    </div>
  );
}

/** One entry as it is. */
function EntryRow({
  entry: { id, name, text },
  onEdit,
  onRemove,
}: {
  entry: Entry;
  onEdit: () => void;
  onRemove: () => void;
}) {
  return (
    <div className={entryRowStyles['row']} role="presentation">
      <div role="cell" className={entryRowStyles['id']} title={id}>
        <code>{id}</code>
      </div>
      <div role="cell" className={entryRowStyles['name']} title={name}>
        {name}
      </div>
      {text === null ? null : (
        <div role="cell" className={entryRowStyles['message']}>
          <p className={entryRowStyles['rowText']} title={text}>
            {text}
          </p>
          <p className={entryRowStyles['length']}>{smsLengthWords(smsLength(text))}</p>
        </div>
      )}
      <div role="cell" className={entryRowStyles['actions']}>
        <ActionButton about={name} onPress={onEdit}>
          Edit
        </ActionButton>
        <ActionButton about={name} onPress={onRemove}>
          Remove
        </ActionButton>
      </div>
    </div>
  );
}

/** The entries that have every word somewhere: in the id, the name or the text. */
export function findEntries(entries: readonly Entry[], sought: string): readonly Entry[] {
  return havingWords(entries, sought, ({ id, name, text }) => `${id}\n${name}\n${text ?? ''}`);
}
