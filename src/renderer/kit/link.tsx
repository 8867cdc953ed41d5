import type { MouseEvent, ReactNode } from 'react';

import { goTo } from './navigation.ts';

/**
 * A link to another page of this window, which is not loaded anew.
 *
 * It is a real link: with a modifier key it opens where the person wants it.
 */
export function Link({
  to,
  className,
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
