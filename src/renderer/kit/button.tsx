import type { ReactNode } from 'react';

import styles from './button.module.css';

/** A button with words; `main` for the one step that a view suggests. */
export function Button({
  rank = 'plain',
  onPress,
  children,
}: {
  rank?: 'main' | 'plain';
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className={styles['button']} data-rank={rank} onClick={onPress}>
      {children}
    </button>
  );
}
