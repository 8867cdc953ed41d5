import type { PortalStatus } from '../../contract/portal.ts';
import { Card } from '../kit/card.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { PathText } from '../kit/path-text.tsx';
import styles from './service-card.module.css';

/** Where the service answers, where it keeps things, and whether what it acknowledges is safe. */
export function ServiceCard({
  status: { base_url, data_dir, pid, started_at, store, version },
}: {
  status: PortalStatus;
}) {
  return (
    <Card title="Service" aside={`Version ${version}`}>
      <dl className={styles['facts']}>
        <div className={styles['fact']}>
          <dt>Address</dt>
          <dd>
            <code className={styles['address']}>{base_url}</code>
            <CopyButton text={base_url} what="the service's address" />
          </dd>
        </div>
        <div className={styles['fact']}>
          <dt>Store</dt>
          <dd className={styles['store']} data-state={store.status}>
            <Icon name={store.status === 'ok' ? 'shield' : 'alert'} />
            <span>
              {store.status === 'ok' ? 'Every change is on disk' : 'Refuses changes'}
              <span className={styles['soft']}>
                {store.last_seq === 0 ? 'none so far' : `${store.last_seq.toLocaleString()} so far`}
              </span>
            </span>
          </dd>
        </div>
        <div className={styles['fact']}>
          <dt>Data folder</dt>
          <dd>
            <code className={styles['path']}>
              <PathText path={data_dir} />
            </code>
            <CopyButton text={data_dir} what="the data folder's path" />
          </dd>
        </div>
        <div className={styles['fact']}>
          <dt>Running since</dt>
          <dd>
            <span>
              <Moment at={started_at} />
              <span className={styles['soft']}>process {pid}</span>
            </span>
          </dd>
        </div>
      </dl>
    </Card>
  );
}
