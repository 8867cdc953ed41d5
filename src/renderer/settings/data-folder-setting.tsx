import { useState } from 'react';

import { Button } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { desktop, desktopWords } from '../kit/desktop.ts';
import { PathText } from '../kit/path-text.tsx';
import styles from './data-folder-setting.module.css';
import { Setting } from './setting.tsx';
import type { Saving } from './use-saving.ts';

/** Where the service keeps what it knows, and the way there. It is chosen when the service is started. */
export function DataFolderSetting({ path }: { path: string }) {
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  const showFolder = desktop?.showDataFolder;

  function show(): void {
    setSaving({ kind: 'idle' });
    showFolder?.().catch((error: unknown) => setSaving({ kind: 'refused', reason: desktopWords(error) }));
  }
  return (
    <Setting
      title="Data folder"
      hint="Fingerprints of tokens, phone menus and the whole history. The tokens themselves are in the keychain, or in the encrypted file that you chose."
      saving={saving}
    >
      <code className={styles['path']}>
        <PathText path={path} />
      </code>
      <div className={styles['buttons']}>
        <CopyButton text={path} what="the data folder's path" />
        {showFolder === undefined ? null : <Button onPress={show}>Show the folder</Button>}
      </div>
    </Setting>
  );
}
