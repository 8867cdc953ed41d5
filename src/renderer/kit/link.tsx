import type { MouseEvent, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './link.module.css';
import { goTo } from './navigation.ts';

/**
 * A link to another page of this window, which is not loaded anew.
 *
 * It is a real link: with a modifier key or the middle button it opens in another window, or in a tab of a browser.
 */
export function Link({
  to,
  className = styles['link'],
  isCurrent = false,
  children,
}: {
  to: string;
  className?: string | undefined;
  isCurrent?: boolean;
  children: ReactNode;
}) {
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  }
  return (
    <a href={to} className={className} aria-current={isCurrent ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}

/** The way from the page of one thing to the page of all of them; it stands above the heading. */
export function WayBack({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles['back']}>
      <Icon name="back" />
      {children}
    </Link>
  );
}
