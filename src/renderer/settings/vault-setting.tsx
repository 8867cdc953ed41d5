import { useRef, useState } from 'react';
import type { VaultKind } from '../../contract/credential/credential-view.ts';
import { settingsText as text } from '../../text/service/settings-text.ts';
import { whereTokensAre } from '../../text/credential/vault-text.ts';
import { vault as vaultOfCredentials } from '../credentials/read-credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { changeKnown, windowCache } from '../kit/live/window-cache.ts';
import { portalStatus } from '../kit/live/window-status.ts';
import pageStyles from '../kit/page.module.css';
import { isBusyWith, useAct } from '../kit/use-act.ts';
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
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const isBusy = isBusyWith(act, 'move');

  async function move(): Promise<void> {
    const to = from === 'file' ? 'keychain' : 'file';
    const moved = await act.run('move', () => askPortal('moveVault', { body: { to } }), 'tokens_moved');
    if (moved === null) return;
    changeKnown(windowCache, portalStatus, (known) => ({ ...known, vault: moved.value.vault }));
    void windowCache.invalidateQueries({ queryKey: vaultOfCredentials.key });
    ref.current?.close();
  }
  return (
    <Dialog ref={ref} title={text.vault.question[from]} mayClose={() => !isBusy} onClose={onClose}>
      <ul className={pageStyles['consequences']}>
        {text.vault.consequences[from].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{text.vault.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void move()}>
          {isBusy ? text.vault.moving : text.vault.confirm}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
