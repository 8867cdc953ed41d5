import { ExportDialog } from '../exchange/export-dialog.tsx';
import { PublishDialog } from '../publish/publish-dialog.tsx';
import { VersionsDialog } from '../versions/versions-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';

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
