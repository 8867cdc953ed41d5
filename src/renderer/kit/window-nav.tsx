import { DesignerLink } from './designer-link.tsx';
import { Link } from './link.tsx';
import styles from './window-nav.module.css';

/** The way to the other windows. */
export function WindowNav({ current }: { current: 'overview' | 'settings' | 'menus' }) {
  return (
    <nav className={styles['nav']} aria-label="Windows">
      <Link to="/" className={styles['link']} isCurrent={current === 'overview'}>
        Overview
      </Link>
      {current === 'menus' ? (
        <Link to="/ivr" className={styles['link']} isCurrent>
          Phone menus
        </Link>
      ) : (
        <DesignerLink className={styles['link']}>Phone menus</DesignerLink>
      )}
      <Link to="/settings" className={styles['link']} isCurrent={current === 'settings'}>
        Settings
      </Link>
    </nav>
  );
}
