import type { ClipboardOutcome } from './clipboard.ts';
import { desktop } from './desktop.ts';

/**
 * What became of a secret that was copied, in words; none when something else was copied over it.
 *
 * `what` is what was copied, such as `the token`.
 */
export function clipboardMessage(outcome: 'copied' | ClipboardOutcome, what: string): string | null {
  switch (outcome) {
    case 'copied':
      return desktop?.copySecret === undefined
        ? 'Copied. While you stay on this page, it is cleared from the clipboard after 30 seconds.'
        : 'Copied. It is cleared from the clipboard after 30 seconds.';
    case 'cleared':
      return 'Cleared from the clipboard.';
    case 'left':
      return `You left this page, so it leaves the clipboard alone: ${what} may still be on it. Copy something else over it.`;
    case 'replaced':
      return null;
  }
}
