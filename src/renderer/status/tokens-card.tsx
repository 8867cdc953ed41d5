import type { TokenStatus } from '../../contract/token.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { StatusShape } from './status-shape.tsx';
import styles from './tokens-card.module.css';

/** In the order of a life, with what each status means for whoever holds such a token. */
const meanings: Record<TokenStatus, string> = {
  Active: 'works',
  Superseded: 'replaced by a newer one',
  Expired: 'past its end',
  Suspended: 'paused by the owner',
  Blacklisted: 'barred for good',
};

/** How many tokens there are of each status. A record from the service counts none where it says nothing. */
export function TokensCard({
  tokens,
  issueRef,
  onIssue,
}: {
  tokens: Partial<Record<TokenStatus, number>>;
  issueRef: React.Ref<HTMLButtonElement>;
  onIssue: () => void;
}) {
  const statuses = Object.keys(meanings) as TokenStatus[];
  const total = statuses.reduce((sum, status) => sum + (tokens[status] ?? 0), 0);
  return (
    <Card title="API tokens" aside={`${total.toLocaleString()} in all`}>
      <dl className={styles['tiles']}>
        {statuses.map((status) => {
          const count = tokens[status] ?? 0;
          return (
            <div key={status} className={styles['tile']} data-empty={count === 0} data-status={status}>
              <dt className={styles['label']}>
                <StatusShape status={status} />
                <span>
                  {status}
                  <span className={styles['meaning']}>{meanings[status]}</span>
                </span>
              </dt>
              <dd className={styles['count']}>{count.toLocaleString()}</dd>
            </div>
          );
        })}
      </dl>
      <p className={styles['issue']}>
        <Button rank="main" ref={issueRef} onPress={onIssue}>
          Issue a token…
        </Button>
      </p>
    </Card>
  );
}
