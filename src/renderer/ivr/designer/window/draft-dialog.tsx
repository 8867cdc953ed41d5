import { useRef, useState } from 'react';
import { problemText } from '../../../../text/window/connection.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { goTo } from '../../../kit/navigation.ts';
import { RingDialog } from '../calls/ring-dialog.tsx';
import { ExportDialog } from '../exchange/export-dialog.tsx';
import { PublishDialog } from '../publish/publish-dialog.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { VersionsDialog } from '../versions/versions-dialog.tsx';
import type { FormatName } from '../../../../text/menu/flow-export.ts';
import { deleteDraftText as text } from '../../../../text/menu/designer.ts';

export type DialogName = 'publish' | 'versions' | 'export' | 'ring' | 'delete';

/** The dialogs of the designer. */
export function DraftDialog({
  dialog,
  onDialog,
  onRestored,
  onClose,
}: {
  dialog: DialogName;
  onDialog: (dialog: DialogName) => void;
  onRestored: (version: number) => void;
  onClose: () => void;
}) {
  const [format, setFormat] = useState<FormatName>();
  switch (dialog) {
    case 'publish':
      return (
        <PublishDialog
          onExport={(chosen) => {
            setFormat(chosen);
            onDialog('export');
          }}
          onClose={onClose}
        />
      );
    case 'versions':
      return <VersionsDialog onRestored={onRestored} onClose={onClose} />;
    case 'export':
      return <ExportDialog first={format} onClose={onClose} />;
    case 'ring':
      return <RingDialog onClose={onClose} />;
    case 'delete':
      return <DeleteDialog onClose={onClose} />;
  }
}

/** Asks before a draft is deleted, which cannot be undone. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { draftId } = useDesigner();
  const { name, nodes } = useDesignerState(({ document }) => document);
  const asksHours = Object.values(nodes).some(({ kind }) => kind === 'hours');
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
    setRefusal(problemText(reply, 'draft_deleted'));
  }

  return (
    <Dialog ref={dialogRef} title={text.title} mayClose={() => !isBusy} onClose={onClose}>
      <p>{text.text(name)}</p>
      {asksHours && <p>{text.hours}</p>}
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>{text.keep}</Button>
        <Button rank="main" onPress={() => void remove()}>
          {isBusy ? text.deleting : text.delete}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
