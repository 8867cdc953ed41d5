import type { ReactNode } from 'react';
import { PartIcon, type PartIconName } from './part-icon.tsx';
import styles from './small-button.module.css';

/** A small button with an icon, a short text, or both. A disabled one stays in the Tab order and keeps the focus. */
export function SmallButton({
  name,
  title,
  icon,
  isDisabled = false,
  isPressed,
  keys,
  onPress,
  children,
}: {
  /** For screen readers, and the tooltip of a button without text. */
  name?: string;
  /** The tooltip of a button with text: what it does. */
  title?: string;
  icon?: PartIconName;
  isDisabled?: boolean;
  isPressed?: boolean;
  /** Its shortcuts, as `aria-keyshortcuts` has them. */
  keys?: string;
  onPress: () => void;
  children?: ReactNode;
}) {
  return (
    <button
      type="button"
      className={styles['button']}
      data-worded={children !== undefined && icon === undefined}
      aria-label={name}
      title={children === undefined ? tooltip(name, keys) : title}
      aria-disabled={isDisabled || undefined}
      aria-pressed={isPressed}
      aria-keyshortcuts={keys}
      onClick={() => {
        if (!isDisabled) onPress();
      }}
    >
      {icon === undefined ? null : <PartIcon name={icon} />}
      {children}
    </button>
  );
}

/** “Parts (a)”: the name, and the shortcut that is shown on every machine. */
function tooltip(name: string | undefined, keys: string | undefined): string | undefined {
  if (name === undefined || keys === undefined || keys.includes('+')) return name;
  return `${name} (${keys})`;
}
