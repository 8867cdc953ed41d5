import type { ReactNode } from 'react';
import { Stack } from './layout.tsx';
import { Text } from './text.tsx';
import styles from './page.module.css';

/** The line below the heading of a page about one thing: its sign, read out when it changes, and what else is known. */
export function Below({ sign, children }: { sign: ReactNode; children: ReactNode }) {
  return (
    <p className={styles['below']}>
      <span role="status">{sign}</span>
      {children}
    </p>
  );
}

/** What is known of a thing, as names and values. */
export function Facts({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) {
  return (
    <Stack as="dl" gap={2} data-wide={isWide}>
      {children}
    </Stack>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <Text as="dt" tone="soft">
        {name}
      </Text>
      <Text as="dd" breaks isTabular>
        {children}
      </Text>
    </div>
  );
}

/** What few people need, behind its title. */
export function Disclosure({
  title,
  isOpen = false,
  children,
}: {
  title: ReactNode;
  /** At first. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details className={styles['disclosure']} open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
