import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the focus to an element when a dialog is gone and nothing else has it.
 *
 * The browser gives it back by itself as long as the button that was pressed is still there; what a dialog did may have
 * taken that away, and a window that was opened at the dialog's address had none.
 */
export function useReturnOfFocus(isOpen: boolean, ref: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) ref.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, ref]);
}
