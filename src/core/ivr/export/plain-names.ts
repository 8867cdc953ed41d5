/**
 * A name for each text that every telephone system accepts: lower-case letters, digits and `_`, all different.
 *
 * Lower case only, because systems differ in whether `A` equals `a`; no `-`, which Asterisk does not allow in
 * extensions. No other character of a text is in its name, so a text cannot inject instructions. The same texts in the
 * same order get the same names.
 */
// see decisions/exports.md
export function plainNames(texts: Iterable<string>, longest = 60): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const text of texts) {
    if (names.has(text)) continue;
    const word = plainWord(text, longest);
    let name = word;
    for (let number = 2; taken.has(name); number += 1) name = `${word}_${number}`;
    taken.add(name);
    names.set(text, name);
  }
  return names;
}

/**
 * A text as one such name, shortened to its first letters if it is longer.
 *
 * @param longest - in characters
 */
export function plainWord(text: string, longest: number): string {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, longest)
    .replace(/^_|_$/g, '');
  return word === '' ? 'unnamed' : word;
}

/**
 * Whether an id can stand in a dialplan as it is.
 *
 * An id that cannot is never changed: `10,1` without its comma would be another extension.
 */
export function isPlainId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,79}$/.test(id);
}
