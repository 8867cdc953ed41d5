import type { ReactNode } from 'react';

import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import styles from './way-back.module.css';

/** The way from the page of one thing to the page of all of them; it stands above the heading. */
export function WayBack({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles['back']}>
      <Icon name="back" />
      {children}
    </Link>
  );
}
