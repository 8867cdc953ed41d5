import { useEffect, useEffectEvent, useState } from 'react';
import { Text } from '../kit/text.tsx';
import { recordingsText } from '../../text/recordings.ts';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { FoundRecordings } from './found-recordings.tsx';
import { RecordDialog } from './microphone/record-dialog.tsx';
import { allRecordings } from './read-recordings.ts';
import styles from './recordings.module.css';
import { sampleRecordings } from './sample-recordings.ts';
import { UploadButton, UploadList } from './upload/upload-list.tsx';
import { useUploads } from './upload/use-uploads.ts';

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
