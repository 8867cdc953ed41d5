import { useState } from 'react';
import type { VaultKind } from '../../contract/credential/credential-view.ts';
import { settingsText as text } from '../../text/service/settings-text.ts';
import { whereTokensAre } from '../../text/credential/vault-text.ts';
import { vault as vaultOfCredentials } from '../credentials/read-credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button } from '../kit/button.tsx';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { changeKnown, windowCache } from '../kit/live/window-cache.ts';
import { portalStatus } from '../kit/live/window-status.ts';
import { Setting } from './setting.tsx';

/** Where the tokens of credentials are and what protects them there, and the way to the other place on this machine. */
export function VaultSetting({ vault }: { vault: VaultKind }) {
  const [isAsking, setAsking] = useState(false);
  const { kind } = vault;
  return (
    <Setting title={text.vault.title} hint={whereTokensAre(vault)} saving={{ kind: 'idle' }}>
      {kind !== 'keychain' && kind !== 'file' ? null : (
        <Button onPress={() => setAsking(true)}>{text.vault.move[kind]}</Button>
      )}
      {isAsking && (kind === 'keychain' || kind === 'file') ? (
        <MoveVaultDialog from={kind} onClose={() => setAsking(false)} />
      ) : null}
    </Setting>
  );
}

/** What the move does, before it is made. */
function MoveVaultDialog({ from, onClose }: { from: 'keychain' | 'file'; onClose: () => void }) {
  const to = from === 'file' ? 'keychain' : 'file';
  return (
    <QuestionDialog
      title={text.vault.question[from]}
      cancel={text.vault.cancel}
      verb={text.vault.confirm}
      pending={text.vault.moving}
      ask={() => askPortal('moveVault', { body: { to } })}
      change="tokens_moved"
      onDone={({ vault }) => {
        changeKnown(windowCache, portalStatus, (known) => ({ ...known, vault }));
        void windowCache.invalidateQueries({ queryKey: vaultOfCredentials.key });
      }}
      onClose={onClose}
    >
      <Consequences of={text.vault.consequences[from]} />
    </QuestionDialog>
  );
}
