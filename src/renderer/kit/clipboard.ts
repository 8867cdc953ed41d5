import { clipboardText } from '../../text/window/window.ts';
import { desktop } from './desktop-bridge.ts';

/** How long a secret stays on the clipboard, where we can end that. */
const secretMs = 30_000;

/**
 * What became of a secret on the clipboard, in a browser.
 *
 * `left`: the person left the page, so we leave the clipboard alone: a page cannot look whether something else was
 * copied meanwhile, and must not overwrite that. `replaced`: something else was copied in this page.
 */
export type ClipboardOutcome = 'cleared' | 'left' | 'replaced';

let endWatch: ((outcome: ClipboardOutcome) => void) | undefined;

/** Copies a text that anybody may see. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  endWatch?.('replaced');
}

/**
 * Copies a secret to a clipboard that is cleared after 30 s.
 *
 * The desktop app does that itself, whatever happens to the window, and `onOutcome` is never called. A page of a browser
 * can do it only while the person stays on it, and tells what became of it.
 */
export async function copySecret(
  text: string,
  onOutcome: (outcome: ClipboardOutcome) => void,
): Promise<void> {
  if (desktop?.copySecret !== undefined) {
    await desktop.copySecret(text);
    return;
  }
  await navigator.clipboard.writeText(text);
  endWatch?.('replaced');
  watchUntilCleared(onOutcome);
}

function watchUntilCleared(onOutcome: (outcome: ClipboardOutcome) => void): void {
  const watch = new AbortController();
  const { signal } = watch;
  const end = (outcome: ClipboardOutcome): void => {
    watch.abort();
    clearTimeout(timer);
    endWatch = undefined;
    onOutcome(outcome);
  };
  const timer = setTimeout(() => {
    navigator.clipboard.writeText('').then(
      () => end('cleared'),
      () => end('left'), // the page is no longer the one in front
    );
  }, secretMs);
  addEventListener('blur', () => end('left'), { signal });
  // Also a copy by hand, of a part of the page.
  document.addEventListener('copy', () => end('replaced'), { signal });
  document.addEventListener('cut', () => end('replaced'), { signal });
  endWatch = end;
}

/**
 * What happened to a secret that was copied; null when something else was copied over it.
 *
 * `what` is what was copied, such as `the token`.
 */
export function clipboardMessage(outcome: 'copied' | ClipboardOutcome, what: string): string | null {
  switch (outcome) {
    case 'copied':
      return clipboardText.copied(desktop?.copySecret !== undefined);
    case 'cleared':
      return clipboardText.cleared;
    case 'left':
      return clipboardText.left(what);
    case 'replaced':
      return null;
  }
}
