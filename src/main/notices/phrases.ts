const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Desktops cut a title after about as many characters. */
const longestTitle = 50;
/** And a text after four lines or so. */
const longestText = 240;

/** How long there is left, as it stands after “in”: never more than there is. */
export function timeLeft(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`;
  if (ms >= 2 * hourMs) return `${Math.floor(ms / hourMs)} hours`;
  if (ms >= 2 * minuteMs) return `${Math.floor(ms / minuteMs)} minutes`;
  return 'less than two minutes';
}

/** A title about something with a name; of a long name as much as there is room for. */
export function titleAbout(name: string, after: string, before = ''): string {
  const around = `${before} ${after}`.trim();
  const room = longestTitle - around.length - '“” '.length;
  return `${before} “${cut(name, Math.max(room, 8))}” ${after}`.trim();
}

/** “a”, “b” and 3 more. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => `“${cut(name, 30)}”`);
  const others = names.length - shown.length;
  if (others > 0) return `${shown.join(', ')} and ${others} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}` : (shown[0] ?? '');
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
