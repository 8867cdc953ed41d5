import { useCallback, useRef, useState } from 'react';

import type { RecordingView } from '../../contract/recording.ts';
import { ActionButton } from '../kit/action-button.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { SoundDialog } from './editor/sound-dialog.tsx';
import { PlayBar } from './play-bar.tsx';
import { readAudioFile } from './read-recordings.ts';
import { RecordingName } from './recording-name.tsx';
import styles from './recording-row.module.css';
import { RemoveDialog } from './remove-dialog.tsx';
import { clockWords, sizeWords } from './sound-words.ts';
import { useOutline } from './use-outline.ts';
import { usePlayer } from './use-player.ts';
import { UsedBy } from './used-by.tsx';

/** One recording: what it is called, how it sounds, where callers hear it, and what can be done with it. */
export function RecordingRow({ recording }: { recording: RecordingView }) {
  const { id, name, format, bytes, digest, duration_ms: durationMs } = recording;
  const rowRef = useRef<HTMLDivElement>(null);
  const outline = useOutline(recording, rowRef);
  const read = useCallback(() => readAudioFile(id), [id]);
  const player = usePlayer(digest, read);
  const [isNaming, setNaming] = useState(false);
  const [open, setOpen] = useState<'none' | 'sound' | 'remove'>('none');
  const lengthMs = durationMs ?? outline?.lengthMs ?? null;
  const reference = `recording||${id}`;
  const facts = [format.toUpperCase(), lengthMs === null ? null : clockWords(lengthMs), sizeWords(bytes)];

  return (
    <div className={styles['row']} ref={rowRef}>
      <div className={styles['who']}>
        <RecordingName recording={recording} isEdited={isNaming} onEdit={setNaming} />
        <p className={styles['id']}>
          <code className={styles['reference']}>{reference}</code>
        </p>
        <p className={styles['facts']}>{facts.filter((fact) => fact !== null).join(' · ')}</p>
      </div>
      <div className={styles['sound']}>
        <PlayBar name={name} player={player} outline={outline} lengthMs={lengthMs} />
        <p role="status" className={styles['failed']}>
          {player.hasFailed
            ? 'It could not be played. The service may be gone, or no audio output is there.'
            : null}
        </p>
        <UsedBy uses={recording.used_by} />
      </div>
      <div className={styles['actions']}>
        <CopyButton text={reference} what={reference} />
        <ActionButton about={name} onPress={() => setNaming(true)}>
          Rename
        </ActionButton>
        <ActionButton about={name} onPress={() => setOpen('sound')}>
          Trim…
        </ActionButton>
        <ActionButton about={name} onPress={() => setOpen('remove')}>
          Remove…
        </ActionButton>
      </div>
      {open === 'sound' ? <SoundDialog recording={recording} onClose={() => setOpen('none')} /> : null}
      {open === 'remove' ? <RemoveDialog recording={recording} onClose={() => setOpen('none')} /> : null}
    </div>
  );
}
