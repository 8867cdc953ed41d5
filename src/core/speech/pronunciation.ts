/** How a word is said that voices read wrong: "Rotavox" as "Roh ta vox". */
export interface Pronunciation {
  readonly word: string;
  readonly say: string;
  /** BCP 47; `en` holds for `en-GB` too. Null: for every language. */
  readonly language: string | null;
}

/** Those whose word is in the text: only a change of these changes its sound. In the order of their words. */
export function appliedPronunciations(
  text: string,
  language: string,
  list: readonly Pronunciation[],
): readonly Pronunciation[] {
  const fitting = list.filter((one) => one.word !== '' && covers(one.language, language));
  const found = new Set(wordsFound(text, fitting).map(({ pronunciation }) => pronunciation));
  return [...found].sort((a, b) => (a.word < b.word ? -1 : 1));
}

/** The text with each word said as the list has it. What is put in is not looked at again. */
export function pronounced(text: string, applied: readonly Pronunciation[]): string {
  let said = '';
  let from = 0;
  for (const { at, length, pronunciation } of wordsFound(text, applied)) {
    said += text.slice(from, at) + pronunciation.say;
    from = at + length;
  }
  return said + text.slice(from);
}

/** Whether what is for one language (`en`) is for another (`en-GB`), too. */
export function covers(wide: string | null, language: string): boolean {
  if (wide === null) return true;
  const [one, other] = [wide.toLowerCase(), language.toLowerCase()];
  return other === one || other.startsWith(`${one}-`);
}

interface FoundWord {
  readonly at: number;
  readonly length: number;
  readonly pronunciation: Pronunciation;
}

/**
 * Whole words, the longest where several begin. A word in small letters is found in any case, one with a capital only as it is
 * written: "US" is not "us".
 */
function wordsFound(text: string, list: readonly Pronunciation[]): readonly FoundWord[] {
  if (list.length === 0) return [];
  const exact = new Map(list.map((one) => [one.word, one]));
  const longestFirst = [...exact.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${longestFirst.map(anyCase).join('|')})(?![\\p{L}\\p{M}\\p{N}])`,
    'gu',
  );
  return [...text.matchAll(pattern)].flatMap(({ 0: word, index }) => {
    const pronunciation = exact.get(word) ?? exact.get(word.toLowerCase());
    return pronunciation === undefined ? [] : [{ at: index, length: word.length, pronunciation }];
  });
}

function anyCase(word: string): string {
  const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (word !== word.toLowerCase()) return escaped(word);
  return [...word.matchAll(/./gsu)]

    .map(([letter]) => {
      const capital = letter.toUpperCase();
      return capital === letter ? escaped(letter) : `(?:${escaped(letter)}|${escaped(capital)})`;
    })
    .join('');
}
