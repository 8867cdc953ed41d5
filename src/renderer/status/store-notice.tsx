import type { PortalStatus } from '../../contract/portal.ts';
import { Moment } from '../kit/moment.tsx';
import { Notice } from '../kit/notice.tsx';
import styles from './store-notice.module.css';

/** Says when changes cannot be kept, and what had to be mended at the start; nothing in a normal life. */
export function StoreNotice({ status: { store, repairs } }: { status: PortalStatus }) {
  return (
    <>
      {store.status === 'refusing' ? (
        <Notice tone="bad" title="Changes are refused: they could not be written to disk.">
          <p>{store.reason}</p>
          <p>
            Since <Moment at={store.since} /> ({store.code}). What exists still answers; nothing that was
            acknowledged is lost.
          </p>
        </Notice>
      ) : null}
      {repairs.length > 0 ? (
        <Notice tone="warn" title="The store was mended when it opened.">
          <ul className={styles['repairs']}>
            {repairs.map((repair) => (
              <li key={repair}>{repair}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}
