import type { ReactNode } from 'react';

import type { CredentialView } from '../../contract/credential-view.ts';
import { stateSign, type StateShape as Shape, type StateTone } from './state-words.ts';
import styles from './state-shape.module.css';

/** Each has its own outline, so that none is told by its colour alone. */
const drawings: Record<Shape, ReactNode> = {
  disc: (
    <>
      <circle className={styles['solid']} cx="10" cy="10" r="8" />
      <path className={styles['cut']} d="m6.5 10.25 2.5 2.5 4.5-5" />
    </>
  ),
  ring: (
    <path
      className={styles['line']}
      d="M16.5 8A6.75 6.75 0 0 0 4.4 6.2L3 8m0-4.5V8h4.5M3.5 12a6.75 6.75 0 0 0 12.1 1.8L17 12m0 4.5V12h-4.5"
    />
  ),
  half: (
    <>
      <circle className={styles['line']} cx="10" cy="10" r="7.25" />
      <path className={styles['solid']} d="M10 2.75a7.25 7.25 0 0 1 0 14.5z" />
    </>
  ),
  bars: (
    <>
      <rect className={styles['line']} x="2.75" y="2.75" width="14.5" height="14.5" rx="3" />
      <path className={styles['line']} d="M8 7v6m4-6v6" />
    </>
  ),
  triangle: (
    <>
      <path
        className={styles['solid']}
        d="M8.7 2.75a1.5 1.5 0 0 1 2.6 0l7 12.5a1.5 1.5 0 0 1-1.3 2.25H3a1.5 1.5 0 0 1-1.3-2.25z"
      />
      <path className={styles['cut']} d="M10 7.25v4.25m0 2.75v.25" />
    </>
  ),
  cross: (
    <>
      <path className={styles['solid']} d="M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7z" />
      <path className={styles['cut']} d="m7.25 7.25 5.5 5.5m0-5.5-5.5 5.5" />
    </>
  ),
  lock: (
    <>
      <rect className={styles['solid']} x="3.5" y="8.5" width="13" height="9" rx="2" />
      <path className={styles['line']} d="M6.25 8.5V6a3.75 3.75 0 0 1 7.5 0v2.5" />
      <path className={styles['cut']} d="M10 12v2.25" />
    </>
  ),
};

/** The sign of a state. Decorative: its words always stand beside it. */
export function StateShape({ shape, tone }: { shape: Shape; tone: StateTone }) {
  return (
    <svg
      className={styles['shape']}
      data-tone={tone}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[shape]}
    </svg>
  );
}

/** How a credential is, by shape and words. */
export function StateSign({ one }: { one: Pick<CredentialView, 'state' | 'trouble'> }) {
  const { shape, tone, words } = stateSign(one);
  return (
    <span className={styles['sign']} data-tone={tone}>
      <StateShape shape={shape} tone={tone} />
      {words}
    </span>
  );
}
