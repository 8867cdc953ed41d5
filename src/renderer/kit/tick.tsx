import { type ReactNode, useId } from 'react';

import { Text } from './text.tsx';
import styles from './field.module.css';

/** A box to tick, with what it means. */
export function Tick({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles['tick']}>
      <input
        id={id}
        type="checkbox"
        className={styles['tickBox']}
        checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id} className={styles['tickLabel']}>
        {label}
      </label>
      {hint === undefined ? null : (
        <Text id={`${id}-hint`} tone="soft" size="small">
          {hint}
        </Text>
      )}
    </div>
  );
}
