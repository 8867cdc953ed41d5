import type { ByteSpan } from '../../core/recording/recording-files.ts';

/**
 * The part of a file that a `Range` header asks for (RFC 9110 section 14.2); null when there is nothing there.
 *
 * What is not one range of bytes is answered with the whole, as the RFC allows: nobody who plays a file asks for several.
 */
export function spanOf(range: string | undefined, length: number): ByteSpan | 'whole' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'whole';
  const last = length - 1;
  if (from === '') {
    const count = Number(to);
    return count === 0 || length === 0 ? null : { start: Math.max(0, length - count), end: last };
  }
  const start = Number(from);
  const end = to === '' ? last : Math.min(Number(to), last);
  if (to !== '' && Number(to) < start) return 'whole';
  return start > last ? null : { start, end };
}
