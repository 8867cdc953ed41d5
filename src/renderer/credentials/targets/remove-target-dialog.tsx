import { useRef } from 'react';

import type { CredentialView, TargetView } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { placeWords, staysWords } from '../place-words.ts';
import { useKnownCredential } from '../use-known-credential.ts';
import styles from './remove-target-dialog.module.css';

/** Asks whether a place shall get no more values, and says what stays there. */
export function RemoveTargetDialog({
  one,
  target,
  onClose,
}: {
  one: CredentialView;
  target: TargetView;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const show = useKnownCredential();

  async function remove(): Promise<void> {
    const params = { name: one.name, target_id: target.id };
    const removed = await act.run('remove', () => askPortal('removeTarget', { params }), 'it was removed');
    if (removed === null) return;
    show(removed.value);
    ref.current?.close();
  }
  return (
    <Dialog
      ref={ref}
      title="Bring no more values there?"
      mayClose={() => act.state.kind !== 'busy'}
      onClose={onClose}
    >
      <div className={styles['words']}>
        <p className={styles['place']}>{placeWords(target.target)}</p>
        <p>{staysWords(target.target)}</p>
      </div>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>Keep it</Button>
        <ActionButton rank="main" isBusy={isBusyWith(act, 'remove')} onPress={() => void remove()}>
          Remove
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
