import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Text } from '../kit/text.tsx';
import { foundText, recordingsText } from '../../text/menu/recordings-text.ts';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { RecordDialog } from './microphone/record-dialog.tsx';
import { allRecordings } from './read-recordings.ts';
import styles from './recordings.module.css';
import { UploadButton, UploadList } from './upload/upload-list.tsx';
import { useUploads } from './upload/use-uploads.ts';
import type { RecordingView } from '../../contract/menu/recording.ts';
import cardStyles from '../kit/card.module.css';
import { searchList } from '../kit/search-list.ts';
import { ListPage, useFound } from '../kit/list/list-page.tsx';
import { RecordingRow } from './recording-row.tsx';
import goodbyeChime from '../../../resources/recordings/goodbye-chime.wav?url';
import greetingChime from '../../../resources/recordings/greeting-chime.wav?url';
import waitingTone from '../../../resources/recordings/waiting-tone.wav?url';
import wrongKeyTone from '../../../resources/recordings/wrong-key-tone.wav?url';
import type { Upcoming } from './upload/use-uploads.ts';

/** What callers hear: the recordings, and the ways to one more. */
export function RecordingsWindow() {
  const live = useLive(allRecordings);
  const known = live.known?.value;
  const { uploads, add, addFiles, clear } = useUploads();
  const [isRecording, setRecording] = useState(false);
  const record = (): void => setRecording(true);
  const upload = (files: readonly File[]): void => void addFiles(files);
  const isOver = useFileDrop(upload);

  return (
    <WindowFrame
      title={recordingsText.pageTitle}
      heading={recordingsText.title}
      below={<Text tone="soft">{recordingsText.lead}</Text>}
      live={live}
      nav={<WindowNav current="recordings" />}
    >
      {isOver ? <DropVeil /> : null}
      <UploadList uploads={uploads} onClear={clear} />
      {known === undefined ? null : known.length === 0 ? (
        <FirstRecording onRecord={record} onFiles={upload} onSamples={() => void add(sampleRecordings)} />
      ) : (
        <FoundRecordings recordings={known} onRecord={record} onFiles={upload} />
      )}
      {isRecording ? <RecordDialog onClose={() => setRecording(false)} /> : null}
    </WindowFrame>
  );
}

/** What to do while there is no recording. */
function FirstRecording({
  onRecord,
  onFiles,
  onSamples,
}: {
  onRecord: () => void;
  onFiles: (files: readonly File[]) => void;
  onSamples: () => void;
}) {
  const { first } = recordingsText;
  return (
    <Empty
      title={first.title}
      text={first.text}
      aside={
        <Text tone="soft" size="small">
          {first.samples}
        </Text>
      }
    >
      <Button rank="main" onPress={onRecord}>
        {recordingsText.record}
      </Button>
      <UploadButton onFiles={onFiles} />
      <Button onPress={onSamples}>{first.addSamples}</Button>
    </Empty>
  );
}

/** What the page says while files are held above it. */
function DropVeil() {
  return (
    <div className={styles['veil']} aria-hidden="true">
      {recordingsText.drop}
    </div>
  );
}

/**
 * Takes files that are dropped anywhere on the page. Answers whether some are held above it now.
 *
 * Files only: text that is dragged from the page into one of its fields goes on as ever.
 */
function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    let depth = 0; // every element that the mouse comes over says so, before the one it left does
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault(); // or a drop would open the file in the place of the page
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      take([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragenter', enter);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

/** The recordings that are looked for, and the ways to one more. What is looked for stands in the address. */
function FoundRecordings({
  recordings,
  onRecord,
  onFiles,
}: {
  recordings: readonly RecordingView[];
  onRecord: () => void;
  onFiles: (files: readonly File[]) => void;
}) {
  const { sought, found } = useFound(recordings, findRecordings);
  const listRef = useRef<HTMLUListElement>(null);
  const { none, ...search } = recordingsText.search;

  return (
    <ListPage
      search={{ name: 'q', maxLength: 100, ...search }}
      rows={found.length}
      count={foundText(found.length, recordings.length)}
      buttons={
        <>
          <UploadButton onFiles={onFiles} />
          <Button rank="main" onPress={onRecord}>
            {recordingsText.record}
          </Button>
        </>
      }
      none={{ title: none(sought), showAll: search.showAll }}
      onDown={() => listRef.current?.querySelector('button')?.focus()}
    >
      <ul ref={listRef} className={cardStyles['box']} aria-label={recordingsText.title}>
        {found.map((recording) => (
          <li key={recording.id} className={styles['one']}>
            <RecordingRow recording={recording} />
          </li>
        ))}
      </ul>
    </ListPage>
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

const { samples } = recordingsText;

/** Four tones to start with, uploaded like files of the user. */
const sampleRecordings: readonly Upcoming[] = [
  sample(samples.greeting, greetingChime),
  sample(samples.wrongKey, wrongKeyTone),
  sample(samples.waiting, waitingTone),
  sample(samples.goodbye, goodbyeChime),
];

function sample(name: string, address: string): Upcoming {
  return {
    fileName: `${name}.wav`,
    read: async () => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.blob();
    },
  };
}
