import { type ReactNode, useId } from 'react';
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

/** Two columns of cards beside each other where there is room, below each other where there is not. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>;
}

/** One of them, with cards below each other. */
export function Column({ children }: { children: ReactNode }) {
  return <div className={styles['column']}>{children}</div>;
}
