import { type CredentialView, isDead } from '../../contract/credential/credential-view.ts';
import { useMinute } from '../kit/use-minute.ts';
import styles from './lifetime-bar.module.css';
import { stateSign } from './state-sign.tsx';

/** The lifetime of the current token as a bar that empties, with a mark at its next rotation. The words beside say the same. */
export function LifetimeBar({ one }: { one: CredentialView }) {
  const now = useMinute();
  const { tone } = stateSign(one);
  const left = isDead(one) ? 0 : shareLeft(one, now);
  return (
    <div className={styles['bar']} aria-hidden="true">
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

type Lifetime = Pick<CredentialView, 'obtained_at' | 'expires_at'>;

/** How long a token is valid in all, in milliseconds; at least 1, also for one that expired when it was issued. */
export function lifetimeMs({ obtained_at: from, expires_at: until }: Lifetime): number {
  return Math.max(Date.parse(until) - Date.parse(from), 1);
}

/** The share of its lifetime that is left, from 0 to 1. */
export function shareLeft(one: Lifetime, nowMs: number): number {
  return Math.min(Math.max((Date.parse(one.expires_at) - nowMs) / lifetimeMs(one), 0), 1);
}

/** The share of its lifetime after which an instant is, from 0 to 1; for a mark on a bar. */
export function shareAt(one: Lifetime, at: string): number {
  return Math.min(Math.max((Date.parse(at) - Date.parse(one.obtained_at)) / lifetimeMs(one), 0), 1);
}
