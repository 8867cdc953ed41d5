import { useRef, useState } from 'react';

import { credentialPath } from '../../kit/address.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { goInstead } from '../go-instead.ts';
import { AddForm } from './add-form.tsx';

/** Has a token that a person brings kept fresh, and then shows its page, where the next steps are. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog ref={ref} title="Keep a token fresh" mayClose={() => !isBusy} onClose={onClose}>
      <AddForm
        onBusy={setBusy}
        onAdded={({ name }) => goInstead(`${credentialPath(name)}?new=1`)}
        onCancel={() => {
          if (!isBusy) ref.current?.close();
        }}
      />
    </Dialog>
  );
}
