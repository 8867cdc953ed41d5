import { DesignerLink, Link } from './link.tsx';
import styles from './window-nav.module.css';

/** The way to the other pages. The phone menus have a window of their own. */
export function WindowNav({ current }: { current: (typeof windowPages)[number]['page'] }) {
  return (
    <nav className={styles['nav']} aria-label="Windows">
      {windowPages.map(({ page, to, name }) =>
        page === 'menus' && current !== 'menus' ? (
          <DesignerLink key={page} className={styles['link']}>
            {name}
          </DesignerLink>
        ) : (
          <Link key={page} to={to} className={styles['link']} isCurrent={page === current}>
            {name}
          </Link>
        ),
      )}
    </nav>
  );
}

/** The pages that a window leads to from anywhere, in their order, and the two keys that do the same. */
export const windowPages = [
  { page: 'overview', name: 'Overview', to: '/', keys: 'g o' },
  { page: 'tokens', name: 'Tokens', to: '/tokens', keys: 'g t' },
  { page: 'credentials', name: 'Credentials', to: '/credentials', keys: 'g c' },
  { page: 'recordings', name: 'Recordings', to: '/recordings', keys: 'g r' },
  { page: 'history', name: 'History', to: '/history', keys: 'g h' },
  // These have a window of their own.
  { page: 'menus', name: 'Phone menus', to: '/ivr', keys: null },
  { page: 'settings', name: 'Settings', to: '/settings', keys: 'g s' },
] as const;
