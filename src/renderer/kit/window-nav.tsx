import { DesignerLink } from './designer-link.tsx';
import { Link } from './link.tsx';
import styles from './window-nav.module.css';

const pages = [
  { page: 'overview', to: '/', name: 'Overview' },
  { page: 'tokens', to: '/tokens', name: 'Tokens' },
  { page: 'credentials', to: '/credentials', name: 'Credentials' },
  { page: 'history', to: '/history', name: 'History' },
  { page: 'menus', to: '/ivr', name: 'Phone menus' },
  { page: 'settings', to: '/settings', name: 'Settings' },
] as const;

/** The way to the other pages. The phone menus have a window of their own. */
export function WindowNav({ current }: { current: (typeof pages)[number]['page'] }) {
  return (
    <nav className={styles['nav']} aria-label="Windows">
      {pages.map(({ page, to, name }) =>
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
