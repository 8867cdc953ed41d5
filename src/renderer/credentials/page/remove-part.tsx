import { useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { isRevoked } from '../../../providers/catalogue.ts';
import { removeCredentialText as text } from '../../../text/credential/credential-page.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row } from '../../kit/layout.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExpiryMoment } from '../../kit/moment.tsx';
import { goInstead } from '../../kit/navigation.ts';
import pageStyles from '../../kit/page.module.css';
import { RichText } from '../../kit/rich-text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { UsedLately } from '../use/users.tsx';
import { useStoreName, whoUses } from '../read-credentials.ts';

/** What removes a credential. `onRemains`: removed, but something still works at its service. */
export function RemovePart({
  one,
  onRemains,
}: {
  one: CredentialView;
  onRemains: (message: string) => void;
}) {
  const vault = useStoreName();
  const [isAsked, setAsked] = useState(false);
  return (
    <Card isPart title={text.title}>
      <Row gap={3} wraps align="center" justify="between">
        <p>{text.lead(vault)}</p>
        <Button onPress={() => setAsked(true)}>{text.open}</Button>
      </Row>
      {isAsked ? <RemoveDialog one={one} onRemains={onRemains} onClose={() => setAsked(false)} /> : null}
    </Card>
  );
}

function RemoveDialog({
  one,
  onRemains,
  onClose,
}: {
  one: CredentialView;
  onRemains: (message: string) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const vault = useStoreName();
  const { name, targets, retiring, provider } = one;
  const isBusy = isBusyWith(act, 'remove');
  const use = useLive(whoUses(name)).known?.value;
  const consequences = {
    targets: targets.length,
    retiring: retiring.length,
    isRevoked: isRevoked(provider),
  };
  const expires = <ExpiryMoment one={one} />;

  async function remove(): Promise<void> {
    const ask = () => askPortal('removeCredential', { params: { name } });
    const removed = await act.run('remove', ask, 'credential_removed');
    if (removed === null) return;
    if (removed.value.message === undefined) goInstead('/credentials');
    else onRemains(removed.value.message);
  }
  return (
    <Dialog ref={ref} title={text.question(name)} mayClose={() => !isBusy} onClose={onClose}>
      <ul className={pageStyles['consequences']}>
        {text.consequences(vault, consequences).map((sentence) => (
          <li key={sentence}>
            <RichText text={sentence} parts={{ expires }} />
          </li>
        ))}
        {use === undefined ? null : <UsedLately use={use} />}
      </ul>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void remove()}>
          {isBusy ? text.removing : text.remove}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
