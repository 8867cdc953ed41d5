import type { EndNode, MenuNode } from '../../../contract/ivr-draft.ts';
import type { Port } from '../edit/lines.ts';
import { kindWords, referenceWords } from '../reference-words.ts';

/** What an end is, and which one; the second is blank where there is nothing to choose. */
export function endWords({ type, ref }: EndNode): { readonly kind: string; readonly which: string } {
  return { kind: kindWords[type], which: type === 'hangup' ? '' : ref === '' ? 'still open' : ref };
}

/** What a menu plays and how long it waits, in a line. */
export function menuLine({ recording, timeout }: MenuNode): string {
  const plays = recording === null ? 'plays nothing yet' : `plays ${referenceWords(recording)}`;
  return timeout === null ? plays : `${plays}, waits ${timeout} s`;
}

/** What stands on a line. */
export function portWord(menu: MenuNode | null, port: Port): string {
  if (port.kind === 'caller') return '';
  if (port.kind === 'invalid') return 'wrong key';
  if (port.kind === 'timeout') return 'silence';
  const key = menu?.keys[port.index]?.key ?? '';
  return key === '' ? '?' : key;
}
