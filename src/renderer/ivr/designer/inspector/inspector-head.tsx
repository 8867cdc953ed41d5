import type { ReactNode } from 'react';

import styles from './inspector.module.css';

/** What kind of thing is selected, what it is called, and what can be done with it. */
export function InspectorHead({
  kind,
  title,
  children,
}: {
  kind: string;
  title: string;
  children?: ReactNode;
}) {
  return (
    <header className={styles['head']}>
      <div>
        <p className={styles['kind']}>{kind}</p>
        <h2 className={styles['title']}>{title}</h2>
      </div>
      {children}
    </header>
  );
}
