import { useDeferredValue, useRef } from 'react';
import type { RecordingView } from '../../contract/recording.ts';
import { foundText, recordingsText } from '../../text/recordings.ts';
import { Button } from '../kit/button.tsx';
import cardStyles from '../kit/card.module.css';
import { Empty } from '../kit/empty.tsx';
import { searchList } from '../kit/search-list.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Toolbar } from '../kit/toolbar.tsx';
import styles from './recordings.module.css';
import { RecordingRow } from './recording-row.tsx';
import { UploadButton } from './upload/upload-list.tsx';

/** The recordings that are looked for, and the ways to one more. What is looked for stands in the address. */
export function FoundRecordings({
  recordings,
  onRecord,
  onFiles,
}: {
  recordings: readonly RecordingView[];
  onRecord: () => void;
  onFiles: (files: readonly File[]) => void;
}) {
  const text = useSearch().get('q') ?? '';
  const found = findRecordings(recordings, useDeferredValue(text));
  const listRef = useRef<HTMLUListElement>(null);

  return (
    <>
      <Toolbar
        search={{
          what: recordingsText.search.what,
          placeholder: recordingsText.search.placeholder,
          value: text,
          maxLength: 100,
          onChange: (q) => setSearch({ q }),
          onDown: () => listRef.current?.querySelector('button')?.focus(),
        }}
        count={foundText(found.length, recordings.length)}
      >
        <UploadButton onFiles={onFiles} />
        <Button rank="main" onPress={onRecord}>
          {recordingsText.record}
        </Button>
      </Toolbar>
      {found.length === 0 ? (
        <Empty title={recordingsText.search.none(text)}>
          <Button onPress={() => setSearch({ q: undefined })}>{recordingsText.search.showAll}</Button>
        </Empty>
      ) : (
        <ul ref={listRef} className={cardStyles['box']} aria-label={recordingsText.title}>
          {found.map((recording) => (
            <li key={recording.id} className={styles['one']}>
              <RecordingRow recording={recording} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The recordings that have every word somewhere: in the name, the id, the format, or where they are played. */
export function findRecordings(
  recordings: readonly RecordingView[],
  sought: string,
): readonly RecordingView[] {
  return searchList(recordings, sought, ({ name, id, format, used_by: uses }) =>
    [name, `recording||${id}`, format, ...uses.map((use) => use.name)].join('\n'),
  );
}
