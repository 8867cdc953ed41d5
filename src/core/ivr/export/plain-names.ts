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
 * A text as one such name: the text itself where it has nothing but lower-case letters, digits and single `_`, or is a
 * reference `<type>||<id>` of such. Any other text is told from all others by its hash.
 *
 * Otherwise `Sales` and `sales`, or `my greeting` and `my-greeting`, would be one name, also in call flows that are exported
 * one by one for one telephone system: the second would play the audio files of the first.
 *
 * @param longest - in characters
 */
export function plainWord(text: string, longest: number): string {
  const word = readablePart(text, longest);
  if (text === '' || word === text.replace('||', '_')) return word;
  const hash = shortHash(text);
  return `${readablePart(text, longest - hash.length - 1)}_${hash}`;
}

/** The letters of a text that such a name can have. Two texts may have the same. */
export function readablePart(text: string, longest: number): string {
  const word = trimmed(text.toLowerCase().replace(/[^a-z0-9]+/g, '_')).slice(0, longest);
  return word === '' ? 'unnamed' : trimmed(word);
}

/** 8 hexadecimal digits. Not for security. */
export function shortHash(text: string): string {
  return fnv1a(text).toString(16).padStart(8, '0');
}

function trimmed(word: string): string {
  return word.replace(/^_|_$/g, '');
}

/**
 * Whether an id of ours (a menu, a user, an SMS template) can stand in a line of Asterisk as it is. What callers are led to:
 * `destination-route.ts`.
 */
export function isPlainId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,79}$/.test(id);
}
