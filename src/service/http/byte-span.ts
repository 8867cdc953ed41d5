import type { ByteSpan } from '../../core/recording/recording-files.ts';

/** Whether a caller says with `If-None-Match` that it has what this tag names. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110 section 14.2); null when the file has no such bytes.
 *
 * Any other header than one range of bytes gets the whole file, as the RFC allows: players do not ask for several ranges.
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
