import type { ReactNode } from 'react';

import styles from './small-button.module.css';

const drawings = {
  up: 'M8 12.5v-9m-4 4 4-4 4 4',
  down: 'M8 3.5v9m-4-4 4 4 4-4',
  remove: 'm4 4 8 8m0-8-8 8',
  add: 'M8 3v10M3 8h10',
  play: 'M5 3v10l8-5z',
  stop: 'M4 4h8v8H4z',
  mute: 'M2.5 6v4H5l3.5 3V3L5 6zM11 6l3.5 4m0-4L11 10',
  sound: 'M2.5 6v4H5l3.5 3V3L5 6zM11 5.5a3.5 3.5 0 0 1 0 5m1.75-7a6 6 0 0 1 0 9',
} as const;

/** A button of few words or none: its name says it whole. One that can do nothing now stays where the focus is. */
export function SmallButton({
  name,
  icon,
  isDisabled = false,
  isPressed,
  onPress,
  children,
}: {
  /** What it does, and to what; for a screen reader, and on hover where no words stand in it. */
  name?: string;
  icon?: keyof typeof drawings;
  isDisabled?: boolean;
  isPressed?: boolean;
  onPress: () => void;
  children?: ReactNode;
}) {
  return (
    <button
      type="button"
      className={styles['button']}
      aria-label={name}
      title={children === undefined ? name : undefined}
      aria-disabled={isDisabled || undefined}
      aria-pressed={isPressed}
      onClick={() => {
        if (!isDisabled) onPress();
      }}
    >
      {icon === undefined ? null : (
        <svg className={styles['drawing']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d={drawings[icon]} />
        </svg>
      )}
      {children}
    </button>
  );
}
