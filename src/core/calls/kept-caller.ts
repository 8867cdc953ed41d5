import type { CallerKept } from '../../contract/calls/call.ts';

/** How many digits of a number stay readable where it is masked. */
const readableDigits = 3;

/** As much of a caller's number as the settings keep; null for none. */
export function keptCaller(number: string, kept: CallerKept): string | null {
  const plain = number.trim();
  if (plain === '' || kept === 'none') return null;
  return kept === 'whole'
    ? plain
    : `${'•'.repeat(Math.max(plain.length - readableDigits, 0))}${plain.slice(-readableDigits)}`;
}
