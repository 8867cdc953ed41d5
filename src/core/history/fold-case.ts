/**
 * Makes texts comparable whatever their case.
 *
 * Upper case and not lower: it is made character by character, so the upper case of a part is a part of the upper case
 * of the whole. Lower case looks around itself (a Greek sigma at the end of a word), and `ß` has no `ss` in it.
 */
export function foldCase(text: string): string {
  return text.toUpperCase();
}
