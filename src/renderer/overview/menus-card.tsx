import { Card } from '../kit/card.tsx';
import { DesignerLink } from '../kit/designer-link.tsx';
import styles from './menus-card.module.css';

/** How many phone menus the service holds, and the way to them. */
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
      <DesignerLink className={styles['link']}>
        {count === 0 ? 'How to create one' : 'Show phone menus'}
      </DesignerLink>
    </Card>
  );
}
