import { useRef, useState } from 'react';
import { PathText, Text } from '../../kit/text.tsx';
import {
  type CredentialView,
  isDead,
  type TargetView,
} from '../../../contract/credential/credential-view.ts';
import {
  placeText,
  removedTargetText,
  targetKindText,
  waitsForText,
} from '../../../text/credential/credentials.ts';
import { deliveryAttemptsText, receiptText, targetsText as text } from '../../../text/credential/targets.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Stack } from '../../kit/layout.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AnswerLine } from '../connection-test.tsx';
import { useKnownCredential } from '../read-credentials.ts';
import { ReceiptShape } from '../state-sign.tsx';
import { WhoRow } from '../use/users.tsx';
import styles from './targets.module.css';

/** A delivery target with what it has: since when, which token, what it said, or why the current one is not there. */
export function TargetRow({ one, target }: { one: CredentialView; target: TargetView }) {
  const act = useAct();
  const show = useKnownCredential();
  const [isRemoving, setRemoving] = useState(false);
  const [isDelivered, setDelivered] = useState(false);
  const place = placeText(target.target);
  const isBusy = isBusyWith(act, 'deliver');

  async function deliver(): Promise<void> {
    setDelivered(false);
    const params = { name: one.name, target_id: target.id };
    const asked = await act.run('deliver', () => askPortal('deliverTarget', { params }), 'target_delivered');
    if (asked === null) return;
    show(asked.value);
    setDelivered(asked.value.targets.some(({ id, status }) => id === target.id && status === 'delivered'));
  }

  return (
    <WhoRow
      sign={<ReceiptShape status={target.status} />}
      kind={targetKindText(target.target)}
      who={<PathText path={place} />}
      actions={
        <>
          {/* One that waits is not run before its time, whoever asks. */}
          {isDead(one) || target.waits_for !== undefined ? null : (
            <ActionButton about={text.to(place)} isBusy={isBusy} onPress={() => void deliver()}>
              {isBusy ? text.delivering : text.deliver}
            </ActionButton>
          )}
          <ActionButton about={place} onPress={() => setRemoving(true)}>
            {text.remove}
          </ActionButton>
        </>
      }
    >
      <ReceiptWords target={target} one={one} />
      <AnswerLine tone="good" words={isDelivered ? text.delivered : null} />
      <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
      {isRemoving ? (
        <RemoveTargetDialog one={one} target={target} onClose={() => setRemoving(false)} />
      ) : null}
    </WhoRow>
  );
}

function ReceiptWords({ target, one }: { target: TargetView; one: CredentialView }) {
  const { status, message, note, delivered_at: at, next_try_at: next, waits_for: waits } = target;
  return (
    <>
      <Text tone={status === 'failing' ? 'warn' : 'soft'} size="medium" isTabular>
        <RichText
          text={receiptText(target, one.generation)}
          parts={{ at: at === null ? null : <ExactMoment at={at} /> }}
        />
      </Text>
      {isDead(one) && status === 'delivered' ? <Text size="medium">{text.notWorking}</Text> : null}
      {waits === undefined ? null : (
        <Text size="medium" breaks>
          {text.waits(waitsForText(waits))}
        </Text>
      )}
      {message === null || waits !== undefined ? null : (
        <Text size="medium" breaks isTabular>
          {message}{' '}
          <RichText
            text={deliveryAttemptsText(target)}
            parts={{ next: next === null ? null : <ExactMoment at={next} /> }}
          />
        </Text>
      )}
      {note === null ? null : (
        <Text tone="soft" size="medium" breaks className={styles['output']}>
          <RichText text={text.output} parts={{ note: <code>{note.trim()}</code> }} />
        </Text>
      )}
    </>
  );
}

/** Asks whether a target is to be removed, and says what stays there. */
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
  const isBusy = isBusyWith(act, 'remove');

  async function remove(): Promise<void> {
    const params = { name: one.name, target_id: target.id };
    const removed = await act.run('remove', () => askPortal('removeTarget', { params }), 'target_removed');
    if (removed === null) return;
    show(removed.value);
    ref.current?.close();
  }
  return (
    <Dialog ref={ref} title={text.removal.title} mayClose={() => !isBusy} onClose={onClose}>
      <Stack gap={2} className={styles['removal']}>
        <Text weight="strong" breaks>
          {placeText(target.target)}
        </Text>
        <p>{removedTargetText(target.target)}</p>
      </Stack>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{text.removal.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void remove()}>
          {text.removal.remove}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
