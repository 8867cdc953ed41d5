import { useState } from 'react';

import { useLive } from '../kit/live/use-live.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { FirstRecording } from './first-recording.tsx';
import { FoundRecordings } from './found-recordings.tsx';
import { RecordDialog } from './microphone/record-dialog.tsx';
import { allRecordings } from './read-recordings.ts';
import styles from './recordings-window.module.css';
import { sampleRecordings } from './sample-recordings.ts';
import { DropVeil } from './upload/drop-veil.tsx';
import { UploadList } from './upload/upload-list.tsx';
import { useFileDrop } from './upload/use-file-drop.ts';
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
      title="Recordings — Rotavox"
      heading="Recordings"
      below={<p className={styles['lead']}>What callers hear in the phone menus.</p>}
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
