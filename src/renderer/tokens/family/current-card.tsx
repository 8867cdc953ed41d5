import { useEffect, useRef, useState } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type { TokenFamilyView } from '../../../contract/token-list.ts';
import type { TokenView } from '../../../contract/token.ts';
import { statusMeanings } from '../../../text/credentials.ts';
import { moveDialogText, type TokenMove, tokenMoveText } from '../../../text/token-list.ts';
import { currentTokenText as text } from '../../../text/token-page.ts';
import { credentialPath } from '../../kit/address.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Countdown } from '../../kit/countdown.tsx';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { goTo } from '../../kit/navigation.ts';
import pageStyles from '../../kit/page.module.css';
import { Fact, Facts } from '../../kit/page.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { MoveDialog, movesFrom } from '../move-dialog.tsx';
import { isLive, StatusShape } from '../status-shape.tsx';
import styles from './family.module.css';

/** The newest generation: its status, which credential rotates it, and everything that its owner can do with it. */
export function CurrentCard({ family, token }: { family: TokenFamilyView; token: TokenView }) {
  const { status, expires_at, ended_at, first_used_at, checked_at, reason, id, generation } = token;
  const credential = family.kept_fresh_by;
  const [move, setMove] = useState<TokenMove | null>(null);
  const [outcome, setOutcome] = useState('');
  const outcomeRef = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that was pressed is gone when the token has ended.
    if (outcome !== '' && document.activeElement === document.body) outcomeRef.current?.focus();
  }, [status, outcome]);

  return (
    <Card title={text.title} aside={text.generation(generation)}>
      <div className={pageStyles['stack']}>
        <p className={styles['status']} data-status={status}>
          <StatusShape status={status} />
          <strong>{status}</strong>
          <Text as="span" tone="soft" size="medium">
            {statusMeanings[status]}
          </Text>
        </p>
        {reason === null ? null : <p className={styles['reason']}>“{reason}”</p>}
        <Facts>
          {isLive(status) ? (
            <Fact name={text.facts.expires}>
              <RichText
                text={text.expiresIn}
                parts={{ countdown: <Countdown to={expires_at} />, at: <Moment at={expires_at} /> }}
              />
            </Fact>
          ) : (
            <Fact name={text.facts.ended}>
              <Moment at={ended_at ?? expires_at} />
            </Fact>
          )}
          <Fact name={text.facts.firstUsed}>
            {first_used_at !== null ? (
              <Moment at={first_used_at} />
            ) : checked_at === null ? (
              text.notUsed
            ) : (
              <RichText text={text.checked} parts={{ at: <Moment at={checked_at} /> }} />
            )}
          </Fact>
          <Fact name={text.facts.token}>
            <code aria-hidden="true">rvx_••••••••</code> {credential === null ? text.shownOnce : text.inVault}
          </Fact>
          <Fact name={text.facts.id}>
            <Row as="span" gap={2} align="center" justify="between">
              <code>{id}</code>
              <CopyButton text={id} what={text.copyId} />
            </Row>
          </Fact>
          <Fact name={text.facts.rotatedBy}>
            <RotatedBy credential={credential} token={token} />
          </Fact>
        </Facts>
        {isLive(status) ? (
          <div role="group" aria-label={text.actions} className={pageStyles['buttons']}>
            {movesFrom(status).map((one) => (
              <Button key={one === 'blacklist' ? one : 'pause'} onPress={() => setMove(one)}>
                {moveDialogText.open(one)}
              </Button>
            ))}
          </div>
        ) : (
          <Stack gap={2} align="start">
            <p>{text.ended}</p>
            <Button onPress={() => goTo('/tokens/issue')}>{text.issue}</Button>
          </Stack>
        )}
        <p ref={outcomeRef} role="status" tabIndex={-1} className={styles['outcome']}>
          {outcome}
        </p>
      </div>
      {move === null ? null : (
        <MoveDialog
          token={token}
          move={move}
          credential={credential}
          onMoved={(moved) => setOutcome(tokenMoveText[move].done(moved.generation))}
          onClose={() => setMove(null)}
        />
      )}
    </Card>
  );
}

function RotatedBy({ credential, token }: { credential: string | null; token: TokenView }) {
  if (credential !== null) {
    const link = (
      <Link to={credentialPath(credential)} className={pageStyles['link']}>
        {credential}
      </Link>
    );
    return (
      <RichText
        text={token.status === 'Suspended' ? text.rotatedWhenResumed : text.rotated}
        parts={{ credential: link }}
      />
    );
  }
  if (!isLive(token.status)) return text.nobody;
  const link = (
    <Link to="/add-credential" className={pageStyles['link']}>
      {text.add}
    </Link>
  );
  return (
    <>
      {text.notRotated(token.validity_days)}{' '}
      <div>
        <RichText text={text.addCredential} parts={{ link }} />
      </div>
    </>
  );
}
