import { windowText } from '../../text/window/window.ts';
import { Link } from './link.tsx';
import styles from './window-frame.module.css';

/** The way to the other pages. */
export function WindowNav({ current }: { current: (typeof windowPages)[number]['page'] | null }) {
  return (
    <nav className={styles['nav']} aria-label={windowText.pagesLabel}>
      {windowPages.map(({ page, to, name }) => (
        <Link key={page} to={to} className={styles['navLink']} isCurrent={page === current}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

const { pages } = windowText;

/** The pages that a window leads to from anywhere, in their order, and the two keys that do the same. */
export const windowPages = [
  { page: 'overview', name: pages.overview, to: '/', keys: 'g o' },
  { page: 'tokens', name: pages.tokens, to: '/tokens', keys: 'g t' },
  { page: 'credentials', name: pages.credentials, to: '/credentials', keys: 'g c' },
  { page: 'recordings', name: pages.recordings, to: '/recordings', keys: 'g r' },
  { page: 'calls', name: pages.calls, to: '/calls', keys: 'g p' },
  { page: 'history', name: pages.history, to: '/history', keys: 'g h' },
  { page: 'menus', name: pages.menus, to: '/ivr', keys: 'g m' },
  { page: 'settings', name: pages.settings, to: '/settings', keys: 'g s' },
] as const;
