import { fnv1a } from '../fingerprint.ts';

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
  /** The number that was given last to each. */
  const taken = new Map<string, number>();
  for (const text of texts) {
    if (names.has(text)) continue;
    const word = plainWord(text, longest);
    let name = word;
    for (let number = taken.get(word) ?? 1; taken.has(name); name = `${word}_${number}`) {
      number += 1;
      taken.set(word, number);
    }
    taken.set(name, 1);
    names.set(text, name);
  }
  return names;
}

/**
 * A text as one such name.
 *
 * A text of which letters are left out, because they are not `a-z` or there are too many, is told from others by its hash.
 * Otherwise all names in other scripts would be the same, also those of call flows that are exported one by one for one
 * telephone system: the second would lead its callers into the menus of the first.
 *
 * @param longest - in characters
 */
export function plainWord(text: string, longest: number): string {
  const word = trimmed(text.toLowerCase().replace(/[^a-z0-9]+/g, '_'));
  if (text === '') return 'unnamed';
  const isWhole = word !== '' && word.length <= longest;
  if (isWhole && !/[\p{L}\p{N}]/u.test(text.replace(/[A-Za-z0-9]/g, ''))) return word;
  const hash = fnv1a(text).toString(16).padStart(8, '0');
  const start = trimmed(word.slice(0, longest - hash.length - 1));
  return `${start === '' ? 'unnamed' : start}_${hash}`;
}

function trimmed(word: string): string {
  return word.replace(/^_|_$/g, '');
}

/**
 * Whether an id can stand in a dialplan as it is.
 *
 * An id that cannot is never changed: `10,1` without its comma would be another extension.
 */
export function isPlainId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,79}$/.test(id);
}
