const longest = 120;

/**
 * A text as it may stand in a comment of a dialplan or of XML: one short line of letters, digits and harmless signs.
 *
 * Neither `;` nor `--` is left, which end, begin or nest comments, and no line can grow beyond what Asterisk reads as
 * one (a longer one is read as two, the second of which would be no comment any more).
 */
export function commentText(text: string): string {
  const plain = text
    .replace(/[^\p{L}\p{M}\p{N}.,:'/+_()|-]+/gu, ' ')
    .replace(/-{2,}/g, '-')
    .trim();
  return Array.from(plain)
    .slice(0, longest)
    .join('')
    .replace(/[ -]+$/, '');
}
