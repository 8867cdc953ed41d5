import { type CredentialView, isDead } from '../../contract/credential-view.ts';
import { useMinute } from '../kit/use-minute.ts';
import { shareAt, shareLeft } from './life-words.ts';
import styles from './life-bar.module.css';
import { stateSign } from './state-words.ts';

/** The life of the present value as a bar that empties, with a mark where it is replaced. The words beside say the same. */
export function LifeBar({ one }: { one: CredentialView }) {
  const now = useMinute();
  const { tone } = stateSign(one);
  const left = isDead(one) ? 0 : shareLeft(one, now);
  return (
    <div className={styles['life']} aria-hidden="true">
      <div className={styles['left']} data-tone={tone} style={{ width: `${left * 100}%` }} />
      {one.next_rotation_at === null || left === 0 ? null : (
        <div
          className={styles['mark']}
          style={{ right: `${(1 - shareAt(one, one.next_rotation_at)) * 100}%` }}
        />
      )}
    </div>
  );
}
