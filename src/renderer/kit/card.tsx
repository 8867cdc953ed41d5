import { useId, type ReactNode } from 'react';

import styles from './card.module.css';

/** A titled area of a window, found by its heading with a screen reader too. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <header className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        {aside === undefined ? null : <div className={styles['aside']}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}
