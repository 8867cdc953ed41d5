import { type Ref, useState } from 'react';

import { useMedia } from '../kit/use-media.ts';
import { type RowsHandle, VirtualRows } from '../kit/virtual-rows.tsx';
import type { Directory, Entry } from './directory.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryRow } from './entry-row.tsx';
import styles from './entry-table.module.css';
import type { DirectoryChanges } from './use-directory.ts';

/** What a row needs, wide and narrow, without and with a text: in pixels at a root size of 16. Also while it is edited. */
const rowHeights = { bare: { wide: 56, narrow: 128 }, text: { wide: 128, narrow: 240 } } as const;
const headHeight = 40;
/** Below this the cells of a row stand below each other. */
const wide = '(min-width: 48.01rem)';

/** The entries of a directory, of which those in sight are drawn. One at a time can be changed where it stands. */
export function EntryTable({
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
      className={styles['table']}
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
    <div className={styles['heads']} role="presentation">
      <span role="columnheader">Id</span>
      <span role="columnheader">Name</span>
      {hasText ? <span role="columnheader">Text</span> : null}
      <span role="columnheader" className={styles['unseen']}>
        Actions
      </span>
    </div>
  );
}
