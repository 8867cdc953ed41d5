import type { ReactNode } from 'react';

import { Icon } from './icon.tsx';
import styles from './notice.module.css';

/** Something that must be known before the rest: what happened, what it means, and a button for the next step. */
export function Notice({
  tone,
  title,
  action,
  children,
}: {
  tone: 'warn' | 'bad';
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles['notice']} data-tone={tone} role="alert">
      <span className={styles['icon']}>
        <Icon name="alert" />
      </span>
      <div className={styles['words']}>
        <p className={styles['title']}>{title}</p>
        <div className={styles['text']}>{children}</div>
      </div>
      {action}
    </div>
  );
}
