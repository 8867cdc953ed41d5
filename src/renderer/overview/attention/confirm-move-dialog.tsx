import { useRef } from 'react';
import type { MovedFrom } from '../../../contract/moved-from.ts';
import { movedDataText as text } from '../../../text/moved-data.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';

/** Asks whether Rotavox no longer runs with these data elsewhere. The list is requested again when that was confirmed. */
export function ConfirmMoveDialog({ from, onClose }: { from: MovedFrom; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const isBusy = isBusyWith(act, 'confirm');

  async function confirm(): Promise<void> {
    const confirmed = await act.run('confirm', () => askPortal('confirmMove', {}));
    if (confirmed !== null) ref.current?.close();
  }
  return (
    <Dialog ref={ref} title={text.question} mayClose={() => !isBusy} onClose={onClose}>
      <p>{text.consequence(from)}</p>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void confirm()}>
          {isBusy ? text.confirming : text.confirm}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
