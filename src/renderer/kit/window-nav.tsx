import { DesignerLink } from './designer-link.tsx';
import { Link } from './link.tsx';
import styles from './window-nav.module.css';
import { windowPages } from './window-pages.ts';

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
