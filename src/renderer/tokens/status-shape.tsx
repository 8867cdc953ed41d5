import type { TokenStatus } from '../../contract/token.ts';
import styles from './status-shape.module.css';

/** Each status has its own outline, so that none is told by its colour alone. */
const shapes: Record<TokenStatus, React.ReactNode> = {
  Active: (
    <>
      <circle className={styles['solid']} cx="10" cy="10" r="8" />
      <path className={styles['cut']} d="m6.5 10.25 2.5 2.5 4.5-5" />
    </>
  ),
  Superseded: (
    <>
      <circle className={styles['line']} cx="10" cy="10" r="7.25" />
      <path className={styles['line']} d="M6.75 10h6.25m-2.5-2.75L13.25 10 10.5 12.75" />
    </>
  ),
  Expired: (
    <path
      className={styles['line']}
      d="M5.5 2.75h9m-9 14.5h9M6.5 2.75v2.5C6.5 8 10 8.25 10 10s-3.5 2-3.5 4.75v2.5m7-14.5v2.5C13.5 8 10 8.25 10 10s3.5 2 3.5 4.75v2.5"
    />
  ),
  Suspended: (
    <>
      <rect className={styles['line']} x="2.75" y="2.75" width="14.5" height="14.5" rx="3" />
      <path className={styles['line']} d="M8 7v6m4-6v6" />
    </>
  ),
  Blacklisted: (
    <>
      <path className={styles['solid']} d="M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7z" />
      <path className={styles['cut']} d="m7.25 7.25 5.5 5.5m0-5.5-5.5 5.5" />
    </>
  ),
};

/** The sign of a token status. Decorative: its name always stands beside it. */
export function StatusShape({ status }: { status: TokenStatus }) {
  return (
    <svg
      className={styles['shape']}
      data-status={status}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[status]}
    </svg>
  );
}
