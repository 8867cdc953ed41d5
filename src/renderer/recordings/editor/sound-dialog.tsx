import { useRef } from 'react';

import type { RecordingView } from '../../../contract/recording.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import styles from './sound-editor.module.css';
import { SoundEditor } from './sound-editor.tsx';
import { useHeldSound } from './use-held-sound.ts';

/** Cuts the silence off a recording, and lets it be heard as a caller would. */
export function SoundDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const held = useHeldSound(recording);
  const close = (): void => ref.current?.close();

  return (
    <Dialog ref={ref} title={`Trim ${recording.name}`} mayClose={() => true} onClose={onClose}>
      {held.kind === 'read' ? (
        <SoundEditor recording={recording} sound={held.sound} onDone={close} />
      ) : (
        <>
          <p role="status" className={styles['reading']}>
            {held.kind === 'reading' ? 'Reading the audio …' : null}
          </p>
          <DialogButtons>
            <FormRefusal reason={held.kind === 'failed' ? held.reason : undefined} />
            <Button onPress={close}>Close</Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}
