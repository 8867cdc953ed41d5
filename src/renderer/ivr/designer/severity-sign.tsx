import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import styles from './severity-sign.module.css';

/** The severity of a problem by shape (a disc with a cross, a triangle) and colour; the text is beside it. */
export function SeveritySign({ severity }: { severity: IvrProblem['severity'] }) {
  return (
    <svg
      className={styles['sign']}
      data-severity={severity}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {severity === 'error' ? (
        <>
          <circle className={styles['ground']} cx="8" cy="8" r="6.5" />
          <path className={styles['stroke']} d="m5.75 5.75 4.5 4.5m0-4.5-4.5 4.5" />
        </>
      ) : (
        <>
          <path className={styles['ground']} d="M8 1.5 15 14H1z" />
          <path className={styles['stroke']} d="M8 6v4m0 1.75v.25" />
        </>
      )}
    </svg>
  );
}
