import { type Ref, useRef, useState } from 'react';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import buttonStyles from '../kit/button.module.css';
import { Dots, MenuButton } from '../kit/action-menu.tsx';
import { ActionButton, Button } from '../kit/button.tsx';
import { countWords } from '../../text/count.ts';
import { directoryText as text, smsLengthText } from '../../text/menu/directory-text.ts';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { searchList } from '../kit/search-list.ts';
import { ListPage, RowsPanel, useFound } from '../kit/list/list-page.tsx';
import { downloadFile } from '../kit/save-file.ts';
import { useAct } from '../kit/use-act.ts';
import { useMedia } from '../kit/use-media.ts';
import { type RowsHandle, VirtualRows } from '../kit/list/virtual-rows.tsx';
import type { Directory, DirectoryChanges, Entry } from './use-directory.ts';
import { EntryForm } from './entry-form.tsx';
import styles from './directory.module.css';
import { smsLength } from './sms-length.ts';

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
  const { csvPath } = directory;
  const { one, many } = directory.text;
  const { state, run } = useAct();
  const { sought, found } = useFound(entries, findEntries);
  const rowsRef = useRef<RowsHandle>(null);
  const all = countWords(entries.length, one, many);

  return (
    <ListPage
      search={{
        name: 'q',
        what: many,
        placeholder: directory.hasText ? text.searchHintText : text.searchHint,
        maxLength: 100,
      }}
      rows={found.length}
      count={found.length === entries.length ? all : text.found(found.length, all)}
      buttons={
        <>
          <Button onPress={onImport}>{text.import}</Button>
          <a
            href={csvPath}
            download
            className={buttonStyles['link']}
            onClick={(event) => {
              event.preventDefault();
              void run('export', () => downloadFile(csvPath));
            }}
          >
            {text.export}
          </a>
          <Button rank="main" onPress={onAdd}>
            {text.add}
          </Button>
        </>
      }
      notice={<FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />}
      none={{ title: text.none(sought), showAll: text.showAll }}
      onDown={() => rowsRef.current?.focusRow(0)}
    >
      <EntryTable ref={rowsRef} directory={directory} entries={found} sought={sought} changes={changes} />
    </ListPage>
  );
}

/** What a row needs, wide and narrow, without and with a text, and while it is edited: in pixels at a root size of 16. */
const rowHeights = {
  bare: { wide: 56, narrow: 64, edited: { wide: 56, narrow: 128 } },
  text: { wide: 112, narrow: 168, edited: { wide: 136, narrow: 240 } },
} as const;
const headHeight = 40;
/** Below this the cells of a row stand below each other. */
const wide = '(min-width: 48.01rem)';

/** The entries of a directory, of which those in sight are drawn. One at a time can be changed where it stands. */
function EntryTable({
  ref,
  directory,
  entries,
  sought,
  changes,
}: {
  ref: Ref<RowsHandle>;
  directory: Directory;
  entries: readonly Entry[];
  sought: string;
  changes: DirectoryChanges;
}) {
  // Kept here and not in its row, which is taken away when it is scrolled out of sight.
  const [draft, setDraft] = useState<Entry | null>(null);
  const isWide = useMedia(wide);
  const heights = rowHeights[directory.hasText ? 'text' : 'bare'];
  const width = isWide ? 'wide' : 'narrow';
  const rowHeight = heights[width];
  const edited = draft === null ? -1 : entries.findIndex(({ id }) => id === draft.id);
  const tall = edited < 0 ? undefined : { index: edited, height: heights.edited[width] };
  const rowsHeight = entries.length * rowHeight + (tall === undefined ? 0 : tall.height - rowHeight);

  return (
    <RowsPanel rowsHeight={rowsHeight + (isWide ? headHeight : 0)} around={18}>
      <VirtualRows
        ref={ref}
        of={sought}
        role="table"
        label={directory.text.title}
        count={entries.length}
        rowHeight={rowHeight}
        tall={tall}
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
              isWide={isWide}
              onEdit={() => setDraft(entry)}
              onRemove={() => void changes.remove(entry)}
            />
          );
        }}
      />
    </RowsPanel>
  );
}

function Heads({ hasText }: { hasText: boolean }) {
  return (
    <Text
      as="div"
      tone="soft"
      size="small"
      weight="strong"
      className={`${styles['row']} ${styles['heads']}`}
      role="presentation"
    >
      <span role="columnheader">{text.columns.id}</span>
      <span role="columnheader">{text.columns.name}</span>
      {hasText ? <span role="columnheader">{text.columns.text}</span> : null}
      <Text as="span" role="columnheader" isUnseen>
        {text.columns.actions}
      </Text>
    </Text>
  );
}

/** One entry as it is. */
function EntryRow({
  entry: { id, name, text: message },
  isWide,
  onEdit,
  onRemove,
}: {
  entry: Entry;
  isWide: boolean;
  onEdit: () => void;
  onRemove: () => void;
}) {
  return (
    <div className={styles['row']} role="presentation">
      <Text as="div" role="cell" tone="soft" isCut title={id}>
        <code>{id}</code>
      </Text>
      <Text as="div" role="cell" weight="strong" isCut title={name}>
        <bdi>{name}</bdi>
      </Text>
      {message === null ? null : (
        <Stack role="cell" gap={1}>
          <Text size="medium" breaks lines={3} title={message}>
            {message}
          </Text>
          <Text tone="soft" size="small" isTabular>
            {smsLengthText(smsLength(message))}
          </Text>
        </Stack>
      )}
      {isWide ? (
        <Row role="cell" gap={2}>
          <ActionButton about={name} onPress={onEdit}>
            {text.edit}
          </ActionButton>
          <ActionButton about={name} onPress={onRemove}>
            {text.remove}
          </ActionButton>
        </Row>
      ) : (
        <div role="cell">
          <MenuButton
            label={text.actions(name)}
            actions={[
              { label: text.edit, act: onEdit },
              { label: text.remove, act: onRemove },
            ]}
            className={buttonStyles['icon']}
          >
            <Dots />
          </MenuButton>
        </div>
      )}
    </div>
  );
}

/** The entries that have every word somewhere: in the id, the name or the text. */
export function findEntries(entries: readonly Entry[], sought: string): readonly Entry[] {
  return searchList(entries, sought, (entry) => `${entry.id}\n${entry.name}\n${entry.text ?? ''}`);
}
