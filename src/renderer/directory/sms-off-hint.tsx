import { Link } from '../kit/link.tsx';
import styles from './sms-off-hint.module.css';

/** Says that templates have no effect now, and where that is changed. */
export function SmsOffHint() {
  return (
    <p className={styles['hint']}>
      SMS templates are switched off: menus leave them out. You can write them now and{' '}
      <Link to="/settings#menus" className={styles['link']}>
        switch them on in the settings
      </Link>{' '}
      when they are to be used.
    </p>
  );
}
