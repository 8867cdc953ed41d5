import type { ReactNode } from 'react';

import { Icon } from './icon.tsx';

/**
 * A link to the phone menus, which have a window of their own: a tab in a browser.
 *
 * The window has a name, so that a second link comes back to the same one.
 */
export function DesignerLink({
  className,
  children,
}: {
  className: string | undefined;
  children: ReactNode;
}) {
  return (
    <a href="/ivr" target="rotavox-ivr" className={className}>
      {children}
      <Icon name="outside" />
    </a>
  );
}
