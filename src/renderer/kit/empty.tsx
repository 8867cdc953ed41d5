import type { ReactNode } from 'react';
import styles from './card.module.css';
import { Row } from './layout.tsx';
import { Text } from './text.tsx';

/** What stands in the place of a list that has nothing to show: why, the ways on, and what else helps. */
export function Empty({
  label,
  title,
  picture,
  text,
  aside,
  children,
}: {
  /** Of the region, where it is one. */
  label?: string;
  title: string;
  /** Decorative. */
  picture?: ReactNode;
  text?: ReactNode;
  aside?: ReactNode;
  /** Buttons. */
  children: ReactNode;
}) {
  return (
    <section className={[styles['box'], styles['empty']].join(' ')} aria-label={label ?? title}>
      {picture === undefined ? null : <div className={styles['picture']}>{picture}</div>}
      <h2 className={styles['title']}>{title}</h2>
      {text === undefined ? null : <Text tone="soft">{text}</Text>}
      <Row gap={2} wraps justify="center">
        {children}
      </Row>
      {aside}
    </section>
  );
}
