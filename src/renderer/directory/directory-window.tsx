import { type ReactNode, useState } from 'react';

import { useLive } from '../kit/live/use-live.ts';
import { WayBack } from '../kit/way-back.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AddDialog } from './add-dialog.tsx';
import type { Directory } from './directory.ts';
import styles from './directory-window.module.css';
import { FirstEntry } from './first-entry.tsx';
import { FoundEntries } from './found-entries.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { RemovedNote } from './removed-note.tsx';
import { useDirectory } from './use-directory.ts';

/** A directory: searched, changed where it stands, brought in and taken out as CSV. */
export function DirectoryWindow({ directory, hint }: { directory: Directory; hint?: ReactNode }) {
  const live = useLive(directory.live);
  const known = live.known?.value;
  const changes = useDirectory(directory);
  const [open, setOpen] = useState<'none' | 'add' | 'import'>('none');
  const add = (): void => setOpen('add');
  const bring = (): void => setOpen('import');
  const close = (): void => setOpen('none');

  return (
    <WindowFrame
      title={`${directory.title} — Rotavox`}
      heading={directory.title}
      above={<WayBack to="/settings">Settings</WayBack>}
      below={<p className={styles['lead']}>{directory.lead}</p>}
      live={live}
      nav={<WindowNav current="settings" />}
    >
      {hint}
      <RemovedNote directory={directory} changes={changes} />
      {known === undefined ? null : known.length === 0 ? (
        <FirstEntry directory={directory} onAdd={add} onImport={bring} />
      ) : (
        <FoundEntries directory={directory} entries={known} changes={changes} onAdd={add} onImport={bring} />
      )}
      {open === 'add' ? <AddDialog directory={directory} entries={known ?? []} onClose={close} /> : null}
      {open === 'import' ? <ImportDialog directory={directory} onClose={close} /> : null}
    </WindowFrame>
  );
}
