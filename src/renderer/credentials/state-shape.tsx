import type { ReactNode } from 'react';

import type { CredentialView } from '../../contract/credential-view.ts';
import { drawings, Shape, strokes } from '../kit/shape.tsx';
import { stateSign, type StateShape, type StateTone } from './state-words.ts';
import styles from './state-shape.module.css';

/** Each has its own outline, so that none is told by its colour alone. */
const stateDrawings: Record<StateShape, ReactNode> = {
  ...drawings,
  ring: (
    <path
      className={strokes.line}
      d="M16.5 8A6.75 6.75 0 0 0 4.4 6.2L3 8m0-4.5V8h4.5M3.5 12a6.75 6.75 0 0 0 12.1 1.8L17 12m0 4.5V12h-4.5"
    />
  ),
  half: (
    <>
      <circle className={strokes.line} cx="10" cy="10" r="7.25" />
      <path className={strokes.solid} d="M10 2.75a7.25 7.25 0 0 1 0 14.5z" />
    </>
  ),
  bell: (
    <>
      <path className={strokes.solid} d="M10 2.5a5 5 0 0 0-5 5v4L3.25 14.5h13.5L15 11.5v-4a5 5 0 0 0-5-5z" />
      <path className={strokes.line} d="M8.25 17h3.5" />
    </>
  ),
  lock: (
    <>
      <rect className={strokes.solid} x="3.5" y="8.5" width="13" height="9" rx="2" />
      <path className={strokes.line} d="M6.25 8.5V6a3.75 3.75 0 0 1 7.5 0v2.5" />
      <path className={strokes.cut} d="M10 12v2.25" />
    </>
  ),
};

/** The sign of a state. */
export function StateDrawing({ shape, tone }: { shape: StateShape; tone: StateTone }) {
  return <Shape tone={tone}>{stateDrawings[shape]}</Shape>;
}

/** How a credential is, by shape and words. */
export function StateSign({ one }: { one: Pick<CredentialView, 'state' | 'trouble'> }) {
  const { shape, tone, words } = stateSign(one);
  return (
    <span className={styles['sign']} data-tone={tone}>
      <StateDrawing shape={shape} tone={tone} />
      {words}
    </span>
  );
}
