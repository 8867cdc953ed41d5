import { useRef, useState } from 'react';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { goTo } from '../../../kit/navigation.ts';
import { problemWords } from '../../../kit/problem-words.ts';
import { ExportDialog } from '../exchange/export-dialog.tsx';
import { PublishDialog } from '../publish/publish-dialog.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { VersionsDialog } from '../versions/versions-dialog.tsx';

export type DialogName = 'publish' | 'versions' | 'export' | 'delete';

/** What is asked above the designer. */
export function RoomDialog({ dialog, onClose }: { dialog: DialogName; onClose: () => void }) {
  switch (dialog) {
    case 'publish':
      return <PublishDialog onClose={onClose} />;
    case 'versions':
      return <VersionsDialog onClose={onClose} />;
    case 'export':
      return <ExportDialog onClose={onClose} />;
    case 'delete':
      return <DeleteDialog onClose={onClose} />;
  }
}

/** Asks before a draft is deleted, for that is final. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { draftId } = useDesigner();
  const name = useDesignerState(({ document }) => document.name);
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function remove(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const reply = await askPortal('deleteDraft', { params: { id: draftId } });
    if (reply.kind === 'ok') {
      goTo('/ivr');
      return;
    }
    setBusy(false);
    setRefusal(problemWords(reply, 'the draft was deleted'));
  }

  return (
    <Dialog ref={dialogRef} title="Delete this draft?" mayClose={() => !isBusy} onClose={onClose}>
      <p>
        The drawing of {name}, its scenarios and its steps back are gone then. Menus that were published of it
        stay stored and keep working, and its versions stay in the history.
      </p>
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>Keep it</Button>
        <Button rank="main" onPress={() => void remove()}>
          {isBusy ? 'Deleting …' : 'Delete the draft'}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
