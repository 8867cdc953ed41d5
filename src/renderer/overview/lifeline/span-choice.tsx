import { useId } from 'react';

import styles from './span-choice.module.css';
import { type Span, spans } from './time-scale.ts';

/** How much of time is in sight: one of three. */
export function SpanChoice({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const name = useId();
  return (
    <fieldset className={styles['choice']}>
      <legend className={styles['legend']}>Time in sight</legend>
      {spans.map((days) => (
        <label key={days} className={styles['option']}>
          <input
            type="radio"
            name={name}
            className={styles['radio']}
            checked={days === span}
            aria-label={`${days} days`}
            onChange={() => onChange(days)}
          />
          <span className={styles['label']}>{days} d</span>
        </label>
      ))}
    </fieldset>
  );
}
