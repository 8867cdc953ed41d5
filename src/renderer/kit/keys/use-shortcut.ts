import { useEffect, useEffectEvent } from 'react';
import { ShortcutList } from './shortcut-list.ts';

/** Those of this window. */
export const shortcuts = new ShortcutList(() => localStorage);

/** Offers a shortcut while the view is there: `what` is how the sheet of shortcuts tells it. */
export function useShortcut(keys: string, what: string, run: () => void, isCommand = false): void {
  const act = useEffectEvent(run);
  useEffect(() => shortcuts.add({ keys, what, run: () => act(), isCommand }), [keys, what, isCommand]);
}

/** A shortcut of the view that the palette offers too. */
export function useViewCommand(keys: string, what: string, run: () => void): void {
  useShortcut(keys, what, run, true);
}

/** Tells keys in the sheet of shortcuts that the view hears itself, such as those of the browser's own copy and paste. */
export function useToldKeys(keys: string, what: string): void {
  useEffect(() => shortcuts.add({ keys, what, run: null }), [keys, what]);
}

/** Hears the window's keys from now on. */
export function hearShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return;
    const found = shortcuts.press(
      {
        key: event.key,
        hasMod: event.ctrlKey || event.metaKey,
        hasShift: event.shiftKey,
        isTyping: isTyping(event.target),
      },
      event.timeStamp,
    );
    if (found === undefined || hasDialog()) return;
    event.preventDefault();
    found.run();
  });
}

/**
 * Whether letters go into what has the focus. The list below a search field hears its keys too, without having the focus. A
 * check box takes no letters, and keeps the focus for a moment after its dialog has closed.
 */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') ||
    target.closest('[role="listbox"]') !== null
  );
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
