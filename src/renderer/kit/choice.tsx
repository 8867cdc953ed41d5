import { useId } from 'react';

import { Row } from './layout.tsx';
import styles from './field.module.css';
import unseenStyles from './unseen.module.css';

/** One of a few, all in sight. Without a `label` its name comes from the group around it. */
export function Choice<T extends string | number>({
  label,
  options,
  value,
  onChange,
}: {
  label?: string;
  options: readonly { readonly value: T; readonly label: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <Row role={label && 'group'} aria-label={label} gap={2} wraps>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            className={unseenStyles['over']}
            onChange={() => onChange(option.value)}
          />
          <span className={styles['optionLabel']}>{option.label}</span>
        </label>
      ))}
    </Row>
  );
}
