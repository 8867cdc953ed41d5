import { Card } from '../kit/card.tsx';
import styles from './menus-card.module.css';

/** How many phone menus the service holds. */
export function MenusCard({ count }: { count: number }) {
  return (
    <Card
      title="Phone menus (IVRs)"
      aside={<span className={styles['count']}>{count.toLocaleString()}</span>}
    >
      <p className={styles['text']}>
        {count === 0 ? (
          <>
            None yet. An app with a token creates one with <code>POST /v1/ivr</code>.
          </>
        ) : (
          <>
            {count === 1 ? 'It answers' : 'They answer'} at <code>GET /v1/ivrs</code>.
          </>
        )}
      </p>
    </Card>
  );
}
