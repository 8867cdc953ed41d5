import { useState } from 'react';

import { type CredentialView, isDead, type TargetView } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { askPortal } from '../../kit/ask-portal.ts';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { PathText } from '../../kit/path-text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AnswerLine } from '../answer-line.tsx';
import { ExactMoment } from '../exact-moment.tsx';
import { kindWords, placeWords } from '../place-words.ts';
import { ReceiptShape } from '../receipt-shape.tsx';
import { ServiceWords } from '../../kit/service-words.tsx';
import { useKnownCredential } from '../use-known-credential.ts';
import styles from './receipt.module.css';
import { RemoveTargetDialog } from './remove-target-dialog.tsx';

/** A delivery target with what it has: since when, which value, what it said, or why it does not take the present one. */
export function Receipt({ one, target }: { one: CredentialView; target: TargetView }) {
  const act = useAct();
  const show = useKnownCredential();
  const [isRemoving, setRemoving] = useState(false);
  const [isDelivered, setDelivered] = useState(false);
  const place = placeWords(target.target);

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
        <p className={styles['kind']}>{kindWords[target.target.kind]}</p>
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
        Has the present value, number {has}
        {since === null ? null : <>, since {since}</>}
      </>
    );
  const words =
    status === 'owed' ? 'Does not have the present value yet' : 'Could not be brought the present value';
  if (has === 0) return <>{words}; it never had one.</>;
  return (
    <>
      {words}; it has number {has} of {generation}
      {since === null ? null : <>, since {since}</>}.
    </>
  );
}
