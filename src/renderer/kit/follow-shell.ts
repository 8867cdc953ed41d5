import { goEvent } from '../../contract/bridge.ts';
import { goTo } from './navigation.ts';

/**
 * Goes where the desktop app around this window leads: the tray's menu, a link from elsewhere.
 *
 * Not away from a dialog: what is being written in it, or a value that is shown once, would be lost. Whoever asked sees
 * the window, and the dialog in it.
 */
export function followShell(): void {
  addEventListener(goEvent, (event) => {
    const path: unknown = event instanceof CustomEvent ? event.detail : undefined;
    if (typeof path !== 'string' || document.querySelector('dialog[open]') !== null) return;
    goTo(path);
  });
}
