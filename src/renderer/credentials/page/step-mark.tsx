import type { StepState } from '../rotation-run.ts';
import styles from './live-steps.module.css';

const meanings: Record<StepState | 'coming', string> = {
  coming: 'to come',
  running: 'under way',
  done: 'done',
  failed: 'failed',
};

/** How a step stands, by shape: an empty ring, an open one that turns, a tick, a triangle. */
export function StepMark({ state }: { state: StepState | 'coming' }) {
  return (
    <svg
      className={styles['mark']}
      data-state={state}
      viewBox="0 0 16 16"
      role="img"
      aria-label={meanings[state]}
    >
      {state === 'coming' ? <circle cx="8" cy="8" r="4.5" /> : null}
      {state === 'running' ? <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" /> : null}
      {state === 'done' ? <path d="m3 8.5 3.25 3.25L13 5" /> : null}
      {state === 'failed' ? <path d="M8 2 1.5 13.5h13zM8 6.5v3.25m0 1.75v.5" /> : null}
    </svg>
  );
}
