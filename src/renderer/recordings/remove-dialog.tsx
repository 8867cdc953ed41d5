import { useRef } from 'react';

import type { RecordingView } from '../../contract/recording.ts';
import { ActionButton } from '../kit/action-button.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import styles from './remove-dialog.module.css';
import { PlaceLinks } from './used-by.tsx';

/** Removes a recording that nothing plays; of any other it says where it is played. */
export function RemoveDialog({ recording, onClose }: { recording: RecordingView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const { id, name, used_by: uses } = recording;
  const isUsed = uses.length > 0;

  async function remove(): Promise<void> {
    const removed = await act.run(
      'remove',
      () => askPortal('removeRecording', { params: { id } }),
      'it was removed',
    );
    if (removed !== null) ref.current?.close();
  }
  return (
    <Dialog
      ref={ref}
      title={isUsed ? 'This recording is in use' : `Remove ${name}?`}
      mayClose={() => act.state.kind !== 'busy'}
      onClose={onClose}
    >
      {isUsed ? (
        <div className={styles['words']}>
          <p>“{name}” cannot be removed while it is played:</p>
          <PlaceLinks uses={uses} />
          <p>Choose another recording there first.</p>
        </div>
      ) : (
        <ul className={styles['words']}>
          <li>The audio file is deleted. It cannot be brought back from here.</li>
          <li>No stored menu and no draft plays it. Another system that names it is not known here.</li>
        </ul>
      )}
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{isUsed ? 'Close' : 'Keep it'}</Button>
        {isUsed ? null : (
          <ActionButton rank="main" isBusy={isBusyWith(act, 'remove')} onPress={() => void remove()}>
            {isBusyWith(act, 'remove') ? 'Removing …' : 'Remove'}
          </ActionButton>
        )}
      </DialogButtons>
    </Dialog>
  );
}
