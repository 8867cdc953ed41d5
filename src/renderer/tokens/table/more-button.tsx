import { useRef } from 'react';

import styles from './columns.module.css';

/**
 * Opens the menu of a row with the mouse.
 *
 * The keyboard has the row itself for that (the menu key, or Shift and F10), and Enter for the page that has it all: a
 * stop at each row's button would be one too many.
 */
export function MoreButton({ name, onPress }: { name: string; onPress: (anchor: HTMLElement) => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={ref}
      type="button"
      tabIndex={-1}
      className={styles['more']}
      aria-haspopup="menu"
      aria-label={`Actions for ${name}`}
      onClick={() => ref.current !== null && onPress(ref.current)}
    >
      <svg className={styles['dots']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="3" cy="8" r="1.4" />
        <circle cx="8" cy="8" r="1.4" />
        <circle cx="13" cy="8" r="1.4" />
      </svg>
    </button>
  );
}
