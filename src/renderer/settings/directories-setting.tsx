import { Link } from '../kit/link.tsx';
import styles from './directories-setting.module.css';

const directories = [
  { to: '/recordings', name: 'Recordings', what: 'what callers hear' },
  { to: '/extensions', name: 'Extensions', what: 'who a phone menu can lead to' },
  { to: '/sms-templates', name: 'SMS templates', what: 'texts that are sent on a key' },
] as const;

/** The way to what phone menus are made of. */
export function DirectoriesSetting() {
  return (
    <ul className={styles['directories']}>
      {directories.map(({ to, name, what }) => (
        <li key={to}>
          <Link to={to} className={styles['link']}>
            {name}
          </Link>
          <span className={styles['what']}>{what}</span>
        </li>
      ))}
    </ul>
  );
}
