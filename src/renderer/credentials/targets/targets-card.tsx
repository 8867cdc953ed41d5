import { useRef, useState } from 'react';
import { type CredentialView, isDead, type TargetView } from '../../../contract/credential-view.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { PathText } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { ServiceWords } from '../../kit/service-words.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AnswerLine } from '../answer-line.tsx';
import { targetKindLabels, placeText, removedTargetText, receiptLabels } from '../../../text/credentials.ts';
import { useKnownCredential } from '../read-credentials.ts';
import { ReceiptShape } from '../receipt-signs.tsx';
import { TargetEditor } from './target-editor.tsx';
import styles from './targets.module.css';

/** Where every new value is brought, and whether each place has it. */
export function TargetsCard({ one }: { one: CredentialView }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title="Delivered to" aside={asideOf(one)}>
      <div className={styles['targets']}>
        {one.targets.length === 0 ? (
          <p className={styles['targetsNote']}>
            Nowhere yet: programs have to ask for it. Add the places where programs read it, and every new
            value is brought there: a line of a dotenv file, a file, an entry of the keychain, or a command
            that is run with it.
          </p>
        ) : (
          <ul className={styles['receipts']} aria-label="Delivery targets">
            {one.targets.map((target) => (
              <Receipt key={target.id} one={one} target={target} />
            ))}
          </ul>
        )}
        <div>
          <Button onPress={() => setAdding(true)}>Add a delivery target…</Button>
        </div>
      </div>
      {isAdding ? <TargetEditor one={one} onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

function asideOf({ targets }: CredentialView): string | undefined {
  if (targets.length === 0) return undefined;
  const has = targets.filter(({ status }) => status === 'delivered').length;
  return `${has} of ${targets.length} ${targets.length === 1 ? 'place' : 'places'} up to date`;
}

/** A delivery target with what it has: since when, which value, what it said, or why it does not take the present one. */
function Receipt({ one, target }: { one: CredentialView; target: TargetView }) {
  const act = useAct();
  const show = useKnownCredential();
  const [isRemoving, setRemoving] = useState(false);
  const [isDelivered, setDelivered] = useState(false);
  const place = placeText(target.target);

  async function deliver(): Promise<void> {
    setDelivered(false);
    const params = { name: one.name, target_id: target.id };
    const asked = await act.run('deliver', () => askPortal('deliverTarget', { params }), 'it was delivered');
    if (asked === null) return;
    show(asked.value);
    setDelivered(asked.value.targets.some(({ id, status }) => id === target.id && status === 'delivered'));
  }

  return (
    <li className={styles['receipt']}>
      <ReceiptShape status={target.status} />
      <div className={styles['words']}>
        <p className={styles['kind']}>{targetKindLabels[target.target.kind]}</p>
        <p className={styles['place']}>
          <PathText path={place} />
        </p>
        <ReceiptWords target={target} generation={one.generation} isDead={isDead(one)} />
        <div className={styles['buttons']}>
          {isDead(one) ? null : (
            <ActionButton
              about={`to ${place}`}
              isBusy={isBusyWith(act, 'deliver')}
              onPress={() => void deliver()}
            >
              {isBusyWith(act, 'deliver') ? 'Delivering …' : 'Deliver again now'}
            </ActionButton>
          )}
          <ActionButton about={place} onPress={() => setRemoving(true)}>
            Remove…
          </ActionButton>
          <AnswerLine tone="good" words={isDelivered ? 'Delivered' : null} />
        </div>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
      </div>
      {isRemoving ? (
        <RemoveTargetDialog one={one} target={target} onClose={() => setRemoving(false)} />
      ) : null}
    </li>
  );
}

function ReceiptWords({
  target,
  generation,
  isDead: isOver,
}: {
  target: TargetView;
  generation: number;
  isDead: boolean;
}) {
  return (
    <>
      <p className={styles['state']} data-status={target.status}>
        <HasWords target={target} generation={generation} />
      </p>
      {isOver && target.status === 'delivered' ? (
        <p className={styles['why']}>That token does not work now.</p>
      ) : null}
      {target.message === null ? null : (
        <p className={styles['why']}>
          <ServiceWords said={target.message} />{' '}
          {target.attempts === 1 ? '1 attempt' : `${target.attempts} attempts`}
          {target.next_try_at === null ? (
            '; not tried again by itself.'
          ) : (
            <>
              ; next try <ExactMoment at={target.next_try_at} />.
            </>
          )}
        </p>
      )}
      {target.note === null ? null : (
        <p className={styles['note']}>
          It said: <code>{target.note.trim()}</code>
        </p>
      )}
    </>
  );
}

function HasWords({
  target: { status, generation: has, delivered_at: at },
  generation,
}: {
  target: TargetView;
  generation: number;
}) {
  const since = at === null ? null : <ExactMoment at={at} />;
  if (status === 'delivered')
    return (
      <>
        Has the current token, number {has}
        {since === null ? null : <>, since {since}</>}
      </>
    );
  const words = receiptLabels[status];
  if (has === 0) return <>{words}; it never had one.</>;
  return (
    <>
      {words}; it has number {has} of {generation}
      {since === null ? null : <>, since {since}</>}.
    </>
  );
}

/** Asks whether a place shall get no more values, and says what stays there. */
function RemoveTargetDialog({
  one,
  target,
  onClose,
}: {
  one: CredentialView;
  target: TargetView;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const show = useKnownCredential();

  async function remove(): Promise<void> {
    const params = { name: one.name, target_id: target.id };
    const removed = await act.run('remove', () => askPortal('removeTarget', { params }), 'it was removed');
    if (removed === null) return;
    show(removed.value);
    ref.current?.close();
  }
  return (
    <Dialog
      ref={ref}
      title="Bring no more values there?"
      mayClose={() => act.state.kind !== 'busy'}
      onClose={onClose}
    >
      <div className={styles['removeText']}>
        <p className={styles['removePlace']}>{placeText(target.target)}</p>
        <p>{removedTargetText(target.target)}</p>
      </div>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>Keep it</Button>
        <ActionButton rank="main" isBusy={isBusyWith(act, 'remove')} onPress={() => void remove()}>
          Remove
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
