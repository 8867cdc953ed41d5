import { type ReactNode, useEffect, useRef, useState } from 'react';
import { StateChange, type TokenStatus, type TokenView } from '../../contract/token/token.ts';
import type { Change } from '../../text/window/connection.ts';
import { moveDialogText as text, type TokenMove, tokenMoveText } from '../../text/token/token-list-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Moment } from '../kit/moment.tsx';
import { Text } from '../kit/text.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { currentTokenText } from '../../text/token/token-page.ts';
import { Button } from '../kit/button.tsx';
import { Row } from '../kit/layout.tsx';

const moves = ['suspend', 'resume', 'blacklist'] as const satisfies readonly TokenMove[];
const calls = { suspend: 'suspendToken', resume: 'resumeToken', blacklist: 'blacklistToken' } as const;
const changes = {
  suspend: 'token_suspended',
  resume: 'token_resumed',
  blacklist: 'token_blacklisted',
} as const satisfies Record<TokenMove, Change>;
const movable: Readonly<Record<TokenMove, readonly TokenStatus[]>> = {
  suspend: ['Active'],
  resume: ['Suspended'],
  blacklist: ['Active', 'Suspended'],
};

/** The moves that a status allows; the service has the last word. */
export function movesFrom(status: TokenStatus): readonly TokenMove[] {
  return moves.filter((move) => movable[move].includes(status));
}

/** How many characters a reason may have; the contract says so too. */
const longest = 500;

/** Asks whether to move a token, says what follows, and takes the reason that its history keeps. */
export function MoveDialog({
  token,
  move,
  credential,
  onMoved,
  onClose,
}: {
  token: TokenView;
  move: TokenMove;
  /** The credential that rotates it. */
  credential: string | null;
  onMoved?: (token: TokenView) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const { consequences, credential: ofCredential, act: button } = tokenMoveText[move];
  const reason = typed.trim();
  const left = longest - reason.length;
  const error = StateChange.shape.reason.safeParse(typed).error?.issues[0]?.message;
  const parts = { expires: <Moment at={token.expires_at} />, credential: <strong>{credential}</strong> };

  return (
    <QuestionDialog
      title={text.title(move, token.name)}
      cancel={text.cancel}
      verb={button}
      isFinal={move === 'blacklist'}
      ask={() =>
        error === undefined
          ? askPortal(calls[move], { params: { id: token.id }, body: reason === '' ? {} : { reason } })
          : null
      }
      change={changes[move]}
      onDone={onMoved}
      onClose={onClose}
    >
      <Text tone="soft" size="medium" breaks>
        <RichText text={text.which(token.generation)} parts={{ id: <code>{token.id}</code> }} />
      </Text>
      <Consequences
        of={[...consequences, ...(credential === null ? [] : [ofCredential])].map((sentence) => (
          <RichText key={sentence} text={sentence} parts={parts} />
        ))}
      />
      <Field
        label={text.reason}
        error={error === undefined ? undefined : text.reasonError(error, -left)}
        hint={text.reasonHint(left)}
      >
        {(tied) => (
          <textarea
            {...tied}
            rows={2}
            className={inputStyles['input']}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </QuestionDialog>
  );
}

/** What the owner can do with a token: suspend, resume and blacklist it; and what came of that. Other buttons come before. */
export function TokenMoves({
  token,
  credential,
  children,
}: {
  token: TokenView;
  credential: string | null;
  children?: ReactNode;
}) {
  const { status } = token;
  const [move, setMove] = useState<TokenMove | null>(null);
  const [outcome, setOutcome] = useState('');
  const outcomeRef = useRef<HTMLParagraphElement>(null);
  const moves = movesFrom(status);
  useEffect(() => {
    // The button that was pressed is gone when the token has ended.
    if (outcome !== '' && document.activeElement === document.body) outcomeRef.current?.focus();
  }, [status, outcome]);

  return (
    <>
      {moves.length === 0 && children === undefined ? null : (
        <Row role="group" aria-label={currentTokenText.actions} gap={2} wraps>
          {children}
          {moves.map((one) => (
            <Button key={one === 'blacklist' ? one : 'pause'} onPress={() => setMove(one)}>
              {text.open(one)}
            </Button>
          ))}
        </Row>
      )}
      <p ref={outcomeRef} role="status" tabIndex={-1}>
        {outcome}
      </p>
      {move === null ? null : (
        <MoveDialog
          token={token}
          move={move}
          credential={credential}
          onMoved={(moved) => setOutcome(tokenMoveText[move].done(moved.generation))}
          onClose={() => setMove(null)}
        />
      )}
    </>
  );
}
