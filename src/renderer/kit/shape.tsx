import type { ReactNode } from 'react';

import styles from './icon.module.css';

export type ShapeTone = 'good' | 'accent' | 'calm' | 'pause' | 'warn' | 'bad';

/**
 * A sign of how something is, on a 20 × 20 grid. Decorative: its words always stand beside it.
 *
 * Each sign has an outline of its own, so that none is told by its colour alone.
 */
export function Shape({
  tone,
  isSmall = false,
  children,
}: {
  tone: ShapeTone;
  isSmall?: boolean;
  children: ReactNode;
}) {
  return (
    <svg
      className={isSmall ? styles['small'] : styles['shape']}
      data-tone={tone}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** The strokes that signs are drawn with. `cut` is a line in the ground's colour over what is `solid`. */
export const strokes = { solid: styles['solid'], line: styles['line'], cut: styles['cut'] } as const;

/** The drawings that say the same wherever they stand. */
export const drawings = {
  /** All is well. */
  disc: (
    <>
      <circle className={strokes.solid} cx="10" cy="10" r="8" />
      <path className={strokes.cut} d="m6.5 10.25 2.5 2.5 4.5-5" />
    </>
  ),
  /** It is still to be done. */
  ring: <circle className={strokes.line} cx="10" cy="10" r="7" strokeDasharray="3 2.5" />,
  /** It rests. */
  bars: (
    <>
      <rect className={strokes.line} x="2.75" y="2.75" width="14.5" height="14.5" rx="3" />
      <path className={strokes.line} d="M8 7v6m4-6v6" />
    </>
  ),
  /** Something fails. */
  triangle: (
    <>
      <path
        className={strokes.solid}
        d="M8.7 2.75a1.5 1.5 0 0 1 2.6 0l7 12.5a1.5 1.5 0 0 1-1.3 2.25H3a1.5 1.5 0 0 1-1.3-2.25z"
      />
      <path className={strokes.cut} d="M10 7.25v4.25m0 2.75v.25" />
    </>
  ),
  /** It is over. */
  cross: (
    <>
      <path className={strokes.solid} d="M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7z" />
      <path className={strokes.cut} d="m7.25 7.25 5.5 5.5m0-5.5-5.5 5.5" />
    </>
  ),
} as const;
