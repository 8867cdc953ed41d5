import { type SyntheticEvent, useRef, useState } from 'react';

import { StateChange, type TokenView } from '../../../contract/token.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { consequencesOf } from './consequences.tsx';
import styles from './move-dialog.module.css';
import { moveWords, type TokenMove } from './move-words.ts';
import { ReasonField } from './reason-field.tsx';
import { useMove } from './use-move.ts';

/** Asks whether a token is to be moved, spells out what follows, and takes the reason that its history keeps. */
export function MoveDialog({
  token,
  move,
  keptFreshBy,
  onMoved,
  onClose,
}: {
  token: TokenView;
  move: TokenMove;
  /** The credential that keeps it fresh. */
  keptFreshBy: string | null;
  onMoved?: (token: TokenView) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const { isBusy, refusal, run } = useMove();
  const { name, act, isFinal } = moveWords[move];
  const error = StateChange.shape.reason.safeParse(reason).error?.issues[0]?.message;

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault(); // the policy allows no page to be sent anywhere
    if (error !== undefined) return;
    const moved = await run(move, token.id, reason.trim());
    if (moved === null) return;
    onMoved?.(moved);
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={`${name} “${token.name}”?`} mayClose={() => !isBusy} onClose={onClose}>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <p className={styles['which']}>
          Generation {token.generation}, <code>{token.id}</code>
        </p>
        <ul className={styles['consequences']}>
          {consequencesOf(move, token, keptFreshBy).map((consequence, place) => (
            <li key={place}>{consequence}</li>
          ))}
        </ul>
        <ReasonField reason={reason} error={error} onChange={setReason} />
        <DialogButtons>
          <FormRefusal reason={refusal} />
          <Button onPress={() => ref.current?.close()}>Cancel</Button>
          <span className={styles['act']} data-final={isFinal}>
            <SubmitButton isBusy={isBusy}>{act}</SubmitButton>
          </span>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
