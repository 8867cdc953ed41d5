import { namesText } from '../../text/credentials.ts';

/** Desktops cut a title after about as many characters. */
const longestTitle = 50;
/** And a text after four lines or so. */
const longestText = 240;

/** A title about something with a name; of a long name as much as there is room for. */
export function titleAbout(name: string, after: string, before = ''): string {
  const around = `${before} ${after}`.trim();
  const room = longestTitle - around.length - '“” '.length;
  return `${before} “${cut(name, Math.max(room, 8))}” ${after}`.trim();
}

/** “a”, “b” and 3 more, each as short as a notice needs. */
export function namesOf(names: readonly string[]): string {
  return namesText(names, (name) => cut(name, 30));
}

/** Sentences as the text of a notice. */
export function textOf(...sentences: readonly (string | null)[]): string {
  return cut(sentences.filter(Boolean).join(' '), longestText);
}

/** Words that a stranger chose: on one line, without what cannot be seen, and not longer than they deserve. */
export function strangersWords(words: string, longest = 60): string {
  return cut(words.replace(/[\p{C}\s]+/gu, ' ').trim(), longest);
}

/** The title with its service where it fits, otherwise without. */
export function titleThatFits(...candidates: readonly [string, ...string[]]): string {
  return candidates.find((title) => title.length <= longestTitle) ?? cut(candidates[0], longestTitle);
}

function cut(text: string, longest: number): string {
  // Well formed: the cut may go through a pair of surrogates.
  return text.length <= longest
    ? text
    : `${text
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
