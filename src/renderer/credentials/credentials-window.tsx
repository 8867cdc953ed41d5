import { useLive } from '../kit/live/use-live.ts';
import { leaveFor } from '../kit/navigation.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AddDialog } from './add/add-dialog.tsx';
import styles from './credentials-window.module.css';
import { FirstCredential } from './list/first-credential.tsx';
import { FoundCredentials } from './list/found-credentials.tsx';
import { VaultNotice } from './list/vault-notice.tsx';
import { allCredentials } from './read-credentials.ts';
import { turningInstants, useTurning } from './use-turning.ts';

/** The tokens that are kept fresh, the most pressing first, and the dialog that adds one. */
export function CredentialsWindow({ isAdding }: { isAdding: boolean }) {
  const live = useLive(allCredentials);
  const known = live.known?.value;
  useTurning(allCredentials, known?.credentials.flatMap(turningInstants) ?? []);

  return (
    <WindowFrame
      title={isAdding ? 'Keep a token fresh — Rotavox' : 'Credentials — Rotavox'}
      heading="Credentials"
      below={
        <p className={styles['lead']}>
          Tokens that Rotavox keeps fresh: each is replaced before it ends, wherever it is used.
        </p>
      }
      live={live}
      nav={<WindowNav current="credentials" />}
    >
      {known === undefined ? null : (
        <>
          <VaultNotice vault={known.vault} />
          {known.credentials.length === 0 ? (
            <FirstCredential />
          ) : (
            <FoundCredentials credentials={known.credentials} />
          )}
        </>
      )}
      {/* Whoever is not signed in is told that, not asked for a token. */}
      {isAdding && live.connection.kind !== 'signed-out' ? (
        <AddDialog onClose={() => leaveFor('/credentials')} />
      ) : null}
    </WindowFrame>
  );
}
