import { useEffect, useRef, useState } from 'react';
import type { TokenView } from '../../../contract/token/token.ts';
import { moveDialogText, type TokenMove, tokenMoveText } from '../../../text/token/token-list-text.ts';
import { currentTokenText as text } from '../../../text/token/token-page.ts';
import { Button } from '../../kit/button.tsx';
import { Row } from '../../kit/layout.tsx';
import { MoveDialog, movesFrom } from '../move-dialog.tsx';

/** What the owner can do with a token: suspend, resume and blacklist it; and what came of that. */
export function TokenMoves({ token, credential }: { token: TokenView; credential: string | null }) {
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
      {moves.length === 0 ? null : (
        <Row role="group" aria-label={text.actions} gap={2} wraps>
          {moves.map((one) => (
            <Button key={one === 'blacklist' ? one : 'pause'} onPress={() => setMove(one)}>
              {moveDialogText.open(one)}
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
