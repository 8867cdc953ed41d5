import type { ReactNode } from 'react';

import styles from './columns.module.css';

/** Two columns of cards beside each other where there is room, below each other where there is not. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>;
}

/** One of them, with cards below each other. */
export function Column({ children }: { children: ReactNode }) {
  return <div className={styles['column']}>{children}</div>;
}
