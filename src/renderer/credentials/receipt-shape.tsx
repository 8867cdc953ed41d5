import type { TargetView } from '../../contract/credential-view.ts';
import styles from './receipt-shape.module.css';

export const receiptShapeWords: Record<TargetView['status'], string> = {
  delivered: 'has the present value',
  owed: 'does not have it yet',
  failing: 'could not be brought the present value',
};

/** A receipt's status by shape: a full square with a tick, an empty one, a triangle. */
export function ReceiptShape({ status }: { status: TargetView['status'] }) {
  return (
    <svg
      className={styles['shape']}
      data-status={status}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      {status === 'delivered' ? (
        <>
          <rect className={styles['solid']} x="2.5" y="2.5" width="15" height="15" rx="4" />
          <path className={styles['cut']} d="m6.5 10.25 2.5 2.5 4.5-5" />
        </>
      ) : null}
      {status === 'owed' ? (
        <rect className={styles['line']} x="3.25" y="3.25" width="13.5" height="13.5" rx="4" />
      ) : null}
      {status === 'failing' ? (
        <>
          <path
            className={styles['solid']}
            d="M8.7 2.75a1.5 1.5 0 0 1 2.6 0l7 12.5a1.5 1.5 0 0 1-1.3 2.25H3a1.5 1.5 0 0 1-1.3-2.25z"
          />
          <path className={styles['cut']} d="M10 7.25v4.25m0 2.75v.25" />
        </>
      ) : null}
    </svg>
  );
}
