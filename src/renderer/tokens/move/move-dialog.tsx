import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { StateChange, type TokenId, type TokenView } from '../../../contract/token.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import inputStyles from '../../kit/input.module.css';
import { Moment } from '../../kit/moment.tsx';
import { problemWords } from '../../kit/problem-words.ts';
import styles from './move-dialog.module.css';
import { moveWords, type TokenMove } from './move-words.ts';

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

/** What follows from a move, for whoever uses the token and for what keeps it fresh, one sentence each. */
function consequencesOf(move: TokenMove, { expires_at }: TokenView, keptFreshBy: string | null): ReactNode[] {
  const end = <Moment at={expires_at} />;
  const keeper = <strong>{keptFreshBy}</strong>;
  switch (move) {
    case 'suspend':
      return [
        'Every call with it is answered with 403 at once, and so are calls with its access tokens.',
        'It can be neither rotated nor refreshed until you resume it.',
        <>Its clock goes on: suspended or not, it ends {end}.</>,
        ...(keptFreshBy === null
          ? []
          : [<>The credential {keeper} neither rotates nor delivers it until it is resumed.</>]),
      ];
    case 'resume':
      return [
        'Calls with it work again at once.',
        <>
          It can be rotated and refreshed again. The time that it was suspended is not given back: it ends{' '}
          {end}.
        </>,
        ...(keptFreshBy === null ? [] : [<>The credential {keeper} rotates it again by itself.</>]),
      ];
    case 'blacklist':
      return [
        'It never works again: nobody can take this back.',
        'Every call with it is answered with 403 at once, and so are calls with its access tokens.',
        'It cannot be rotated, so its family ends here. Whoever uses it needs a token that is issued anew.',
        ...(keptFreshBy === null
          ? []
          : [
              <>
                The credential {keeper} loses its value with it, and waits until you give it another one on
                its page.
              </>,
            ]),
      ];
  }
}

/** How many characters a reason may have; the contract says so too. */
const longest = 500;

/** Why the owner does it, in words that the history keeps. */
function ReasonField({
  reason,
  error,
  onChange,
}: {
  reason: string;
  error: string | undefined;
  onChange: (reason: string) => void;
}) {
  const left = longest - reason.trim().length;
  return (
    <Field
      label="Reason"
      error={error === undefined ? undefined : `The reason ${error}: ${-left} fewer.`}
      hint={
        left < 100
          ? `Kept in the history. ${left} characters left.`
          : 'Kept in the history. May be left empty.'
      }
    >
      {(tied) => (
        <textarea
          {...tied}
          rows={2}
          className={inputStyles['input']}
          value={reason}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Asks for a move, one at a time: a second press while the first is under way is none. Keeps why it was refused. */
function useMove() {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly refusal: string | undefined }>({
    isBusy: false,
    refusal: undefined,
  });
  const isBusy = useRef(false);

  /** Answers the token as it is then, or null when it was refused. */
  async function run(move: TokenMove, id: TokenId, reason: string): Promise<TokenView | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    setState({ isBusy: true, refusal: undefined });
    const { call, wanted } = moveWords[move];
    const reply = await askPortal(call, { params: { id }, body: reason === '' ? {} : { reason } });
    isBusy.current = false;
    const refusal = reply.kind === 'ok' ? undefined : problemWords(reply, wanted);
    setState({ isBusy: false, refusal });
    return reply.kind === 'ok' ? reply.value : null;
  }
  return { ...state, run };
}
