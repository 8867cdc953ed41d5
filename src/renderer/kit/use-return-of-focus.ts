import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the focus to an element when a dialog is gone and nothing else has it, also if the element comes later than that.
 *
 * The browser gives it back by itself as long as the button that was pressed is still there; what a dialog did may have
 * taken that away, and a window that was opened at the dialog's address had none.
 */
export function useReturnOfFocus(isOpen: boolean, ref: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  const isOwed = useRef(false);
  const had = useRef<HTMLElement | null>(null);
  // After each change: the button is there once the window knows where it belongs.
  useEffect(() => {
    if (isOpen !== wasOpen.current) isOwed.current = !isOpen;
    wasOpen.current = isOpen;
    // What the dialog did may be known only after the focus was given back, and then take it away again.
    if (had.current?.isConnected === false) isOwed.current = !isOpen;
    if (!isOwed.current || ref.current === null) return;
    // What it did may have moved it to another place of the page, which is not to scroll away.
    if (document.activeElement === document.body) ref.current.focus({ preventScroll: true });
    isOwed.current = false;
    had.current = ref.current;
  });
}
