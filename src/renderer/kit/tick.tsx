import { type ReactNode, useId } from 'react';

import { Text } from './text.tsx';
import styles from './tick.module.css';

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
        className={styles['box']}
        checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id} className={styles['label']}>
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
