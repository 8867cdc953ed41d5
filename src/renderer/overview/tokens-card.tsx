import type { TokenStatus } from '../../contract/token.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { Link } from '../kit/link.tsx';
import { StatusShape } from '../tokens/status-shape.tsx';
import { statusMeanings } from '../tokens/status-words.ts';
import styles from './tokens-card.module.css';

/** How many tokens there are of each status, each a way to them. A record that says nothing of a status counts none. */
export function TokensCard({
  tokens,
  issueRef,
  onIssue,
}: {
  tokens: Partial<Record<TokenStatus, number>>;
  issueRef: React.Ref<HTMLButtonElement>;
  onIssue: () => void;
}) {
  const statuses = Object.keys(statusMeanings) as TokenStatus[];
  return (
    <Card
      title="API tokens"
      aside={
        <Button ref={issueRef} onPress={onIssue}>
          Issue a token…
        </Button>
      }
    >
      <dl className={styles['tiles']}>
        {statuses.map((status) => {
          const count = tokens[status] ?? 0;
          return (
            <div
              key={status}
              className={styles['tile']}
              data-empty={count === 0 || undefined}
              title={statusMeanings[status]}
            >
              <dt className={styles['label']}>
                <StatusShape status={status} />
                <Link to={`/tokens?status=${status}`} className={styles['link']}>
                  {status}
                </Link>
              </dt>
              <dd className={styles['count']}>{count.toLocaleString()}</dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
