import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { TokenFamilyView } from '../../../contract/token-list.ts';
import type { TokenView } from '../../../contract/token.ts';
import { credentialPath } from '../../kit/address.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Countdown } from '../../kit/countdown.tsx';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { goTo } from '../../kit/navigation.ts';
import { MoveDialog } from '../move/move-dialog.tsx';
import { movesFrom, moveWords, type TokenMove } from '../move/move-words.ts';
import { StatusShape } from '../status-shape.tsx';
import { countWords } from '../../../text/count.ts';
import { isLive } from '../status-words.ts';
import { statusMeanings } from '../../../text/credentials.ts';
import styles from './family.module.css';

/** The newest generation: how it is, who keeps it fresh, and everything that its owner can do with it. */
export function PresentCard({ family, token }: { family: TokenFamilyView; token: TokenView }) {
  const { status, expires_at, ended_at, first_used_at, reason, id, generation } = token;
  const [move, setMove] = useState<TokenMove | null>(null);
  const [outcome, setOutcome] = useState('');
  const outcomeRef = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that was pressed is gone when the token has ended.
    if (outcome !== '' && document.activeElement === document.body) outcomeRef.current?.focus();
  }, [status, outcome]);

  return (
    <Card title="Present token" aside={`generation ${generation}`}>
      <div className={styles['present']}>
        <p className={styles['status']} data-status={status}>
          <StatusShape status={status} />
          <strong>{status}</strong>
          <span className={styles['meaning']}>{statusMeanings[status]}</span>
        </p>
        {reason === null ? null : <p className={styles['reason']}>“{reason}”</p>}
        <dl className={styles['facts']}>
          <Fact name={isLive(status) ? 'Ends' : 'Ended'}>
            {isLive(status) ? (
              <>
                in <Countdown to={expires_at} /> (<Moment at={expires_at} />)
              </>
            ) : (
              <Moment at={ended_at ?? expires_at} />
            )}
          </Fact>
          <Fact name="First used">{first_used_at === null ? 'not yet' : <Moment at={first_used_at} />}</Fact>
          <Fact name="Value">
            <span aria-hidden="true" className={styles['mask']}>
              rvx_••••••••
            </span>{' '}
            {family.kept_fresh_by === null
              ? 'shown once, when it was made; here is only its fingerprint'
              : 'in the vault, where its credential keeps it'}
          </Fact>
          <Fact name="Id">
            <span className={styles['id']}>
              <code>{id}</code>
              <CopyButton text={id} what="the token’s id" />
            </span>
          </Fact>
          <Fact name="Kept fresh by">
            <Keeper family={family} token={token} />
          </Fact>
        </dl>
        {isLive(status) ? (
          <div role="group" aria-label="What can be done with it" className={styles['moves']}>
            {movesFrom(status).map((one) => (
              <Button key={one === 'blacklist' ? one : 'pause'} onPress={() => setMove(one)}>
                {moveWords[one].name}…
              </Button>
            ))}
          </div>
        ) : (
          <div className={styles['ended']}>
            <p>This family has ended. Whoever used it needs a token that is issued anew.</p>
            <Button onPress={() => goTo('/tokens/issue')}>Issue a token…</Button>
          </div>
        )}
        <p ref={outcomeRef} role="status" tabIndex={-1} className={styles['outcome']}>
          {outcome}
        </p>
      </div>
      {move === null ? null : (
        <MoveDialog
          token={token}
          move={move}
          keptFreshBy={family.kept_fresh_by}
          onMoved={(moved) => setOutcome(`Generation ${moved.generation} is ${moveWords[move].done}.`)}
          onClose={() => setMove(null)}
        />
      )}
    </Card>
  );
}

function Keeper({ family: { kept_fresh_by: name }, token }: { family: TokenFamilyView; token: TokenView }) {
  if (name !== null) {
    return (
      <>
        <Link to={credentialPath(name)} className={styles['currentLink']}>
          {name}
        </Link>
        {token.status === 'Suspended'
          ? ', which rotates it again once it is resumed'
          : ', which replaces it before it ends'}
      </>
    );
  }
  if (!isLive(token.status)) return <>nobody</>;
  return (
    <>
      nobody here: whoever holds its value has to replace it, each time for{' '}
      {countWords(token.validity_days, 'day')} more.{' '}
      <span className={styles['keep']}>
        To have Rotavox do that, paste its value:{' '}
        <Link to="/add-credential" className={styles['currentLink']}>
          Keep fresh…
        </Link>
      </span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <dt className={styles['name']}>{name}</dt>
      <dd className={styles['currentWhat']}>{children}</dd>
    </div>
  );
}
