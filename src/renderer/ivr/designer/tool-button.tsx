import { Drawing, type DrawingName } from './drawing.tsx';
import styles from './tool-button.module.css';

/** A button that is a drawing; its name is heard, and shown while the mouse rests on it. */
export function ToolButton({
  drawing,
  name,
  isOff = false,
  isPressed,
  keys,
  onPress,
}: {
  drawing: DrawingName;
  name: string;
  /** Whether it does nothing now. It keeps its place in the order of the keyboard. */
  isOff?: boolean;
  isPressed?: boolean;
  keys?: string;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      className={styles['tool']}
      title={name}
      aria-label={name}
      aria-disabled={isOff || undefined}
      aria-pressed={isPressed}
      aria-keyshortcuts={keys}
      onClick={() => {
        if (!isOff) onPress();
      }}
    >
      <Drawing name={drawing} />
    </button>
  );
}
