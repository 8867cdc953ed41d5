import type { ReactNode, Ref } from 'react';
import styles from './button.module.css';
import unseenStyles from './unseen.module.css';

/** A button with words; `main` for the one step that a view suggests. */
export function Button({
  rank = 'plain',
  ref,
  onPress,
  children,
}: {
  rank?: 'main' | 'plain';
  ref?: Ref<HTMLButtonElement> | undefined;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" ref={ref} className={styles['button']} data-rank={rank} onClick={onPress}>
      {children}
    </button>
  );
}

/** The button that sends a form off. While it is under way it says so, and stays where the focus is. */
export function SubmitButton({
  isBusy,
  isFinal = false,
  children,
}: {
  isBusy: boolean;
  /** Whether what it does cannot be undone. */
  isFinal?: boolean;
  children: ReactNode;
}) {
  return (
    <button
      type="submit"
      className={styles['button']}
      data-rank={isFinal ? 'final' : 'main'}
      aria-disabled={isBusy}
    >
      {children}
    </button>
  );
}

/**
 * A button for something that takes a while: while it is under way it says so, and keeps the focus.
 *
 * `about` is what it is about, for whoever hears the button without the row around it.
 */
export function ActionButton({
  rank = 'plain',
  about,
  isBusy = false,
  isPressed,
  shows,
  ref,
  onPress,
  children,
}: {
  rank?: 'main' | 'plain';
  about?: string;
  isBusy?: boolean;
  /** Of one that is on or off. */
  isPressed?: boolean;
  /** The id of what it shows and hides. */
  shows?: { readonly id: string; readonly isShown: boolean };
  ref?: Ref<HTMLButtonElement> | undefined;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      ref={ref}
      className={styles['button']}
      data-rank={rank}
      aria-disabled={isBusy || undefined}
      aria-pressed={isPressed}
      aria-expanded={shows?.isShown}
      aria-controls={shows?.id}
      onClick={() => {
        if (!isBusy) onPress();
      }}
    >
      {children}
      {about === undefined ? null : <span className={unseenStyles['unseen']}> {about}</span>}
    </button>
  );
}
