import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId } from 'react';

import styles from './dialog.module.css';

/**
 * A question above the window, in the browser's own dialog: it keeps the focus inside, ends with Esc, and gives the
 * focus back to where it was.
 *
 * Close it with `ref.current.close()`, and take it away only when `onClose` says that it is closed: a dialog that is
 * just removed gives no focus back. `mayClose` is asked on Esc; browsers let a person insist by pressing it again.
 */
export function Dialog({
  ref,
  title,
  mayClose,
  onClose,
  children,
}: {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  mayClose: () => boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, [ref]);

  function decide(event: SyntheticEvent): void {
    if (!mayClose()) event.preventDefault();
  }

  return (
    <dialog ref={ref} className={styles['dialog']} aria-labelledby={id} onCancel={decide} onClose={onClose}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The buttons at its end, the suggested one last, and why not. They stay in sight however long the dialog is. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles['buttons']}>{children}</div>;
}
