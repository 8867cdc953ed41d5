import { type ReactNode, useId } from 'react';
import { Row } from './layout.tsx';
import styles from './field.module.css';
import unseenStyles from './unseen.module.css';
import { Text } from './text.tsx';

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

/** On or off, at once. Its name and its description stand beside it, by their ids. */
export function Switch({
  labelledBy,
  describedBy,
  isOn,
  isPossible = true,
  onChange,
}: {
  labelledBy: string;
  describedBy: string;
  isOn: boolean;
  isPossible?: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={styles['switch']}
      checked={isOn}
      disabled={!isPossible}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** A box to tick, with what it means. */
export function Tick({
  label,
  hint,
  isOn,
  isDisabled = false,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  isDisabled?: boolean;
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
        aria-disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => {
          // It keeps the focus, so that nothing that is typed on goes to another field.
          if (!isDisabled) onChange(target.checked);
        }}
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
