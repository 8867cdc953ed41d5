import { useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { goInstead } from '../../kit/navigation.ts';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { useVaultWord } from '../read-credentials.ts';
import styles from './credential-page.module.css';

/** The way to keep a token fresh no more. */
export function RemoveCard({ one }: { one: CredentialView }) {
  const vault = useVaultWord();
  const [isAsked, setAsked] = useState(false);
  return (
    <Card title="Keep it fresh no more">
      <div className={styles['remove']}>
        <p>Takes the value out of the {vault}. The token itself stays as it is.</p>
        <Button onPress={() => setAsked(true)}>Remove…</Button>
      </div>
      {isAsked ? <RemoveDialog one={one} onClose={() => setAsked(false)} /> : null}
    </Card>
  );
}

function RemoveDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const vault = useVaultWord();
  const { name, targets } = one;

  async function remove(): Promise<void> {
    const removed = await act.run(
      'remove',
      () => askPortal('removeCredential', { params: { name } }),
      'it was removed',
    );
    if (removed !== null) goInstead('/credentials');
  }
  return (
    <Dialog ref={ref} title={`Remove ${name}?`} mayClose={() => act.state.kind !== 'busy'} onClose={onClose}>
      <ul className={styles['consequences']}>
        <li>Its value is taken out of the {vault}, and nobody can read it here any more.</li>
        <li>
          The token is not revoked: whoever has it can use it until <ExactMoment at={one.expires_at} />.
          Nothing replaces it after that.
        </li>
        {targets.length === 0 ? null : (
          <li>
            What was delivered stays where it is, at{' '}
            {targets.length === 1 ? '1 place' : `${targets.length} places`}, and ends with the token.
          </li>
        )}
        <li>Programs that read it by its name are refused at once.</li>
        <li>Its history stays.</li>
      </ul>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>Keep it</Button>
        <ActionButton rank="main" isBusy={isBusyWith(act, 'remove')} onPress={() => void remove()}>
          {isBusyWith(act, 'remove') ? 'Removing …' : 'Remove'}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
