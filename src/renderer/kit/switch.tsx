import styles from './field.module.css';

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
