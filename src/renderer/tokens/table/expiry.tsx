import type { TokenView } from '../../../contract/token.ts';
import { Countdown } from '../../kit/countdown.tsx';
import { Moment } from '../../kit/moment.tsx';
import { isLive } from '../status-words.ts';
import styles from './columns.module.css';

/** How long a token still has, or when it would have ended. */
export function Expiry({ token: { status, expires_at } }: { token: TokenView }) {
  if (isLive(status)) return <Countdown to={expires_at} />;
  return (
    <span className={styles['soft']}>
      <Moment at={expires_at} />
    </span>
  );
}
