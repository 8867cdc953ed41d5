import { type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { Stack } from './layout.tsx';
import { Text } from './text.tsx';

/** A titled area of a window, found by its heading with a screen reader too. `isPart`: of another card, without an edge of its own. */
export function Card({
  title,
  aside,
  isPart = false,
  children,
}: {
  title: string;
  aside?: ReactNode;
  isPart?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const Heading = isPart ? 'h3' : 'h2';
  return (
    <section className={styles[isPart ? 'part' : 'card']} aria-labelledby={id}>
      <header className={styles['head']}>
        <Heading id={id} className={styles['title']}>
          {title}
        </Heading>
        {aside === undefined ? null : (
          <Text as="div" tone="soft" size="small" isTabular>
            {aside}
          </Text>
        )}
      </header>
      {children}
    </section>
  );
}

/** Two columns of cards beside each other where there is room, below each other where there is not. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>;
}

/** One of them, with cards below each other; alone no wider than lines can be read. */
export function Column({ isAlone = false, children }: { isAlone?: boolean; children: ReactNode }) {
  return (
    <Stack gap="cards" className={styles['column']} data-alone={isAlone || undefined}>
      {children}
    </Stack>
  );
}
