/** The items whose text contains every word of what is sought; all of them while nothing is sought. */
export function searchList<T>(list: readonly T[], sought: string, textOf: (one: T) => string): readonly T[] {
  const words = plainLetters(sought).split(/\s+/).filter(Boolean);
  if (words.length === 0) return list;
  return list.filter((one) => {
    const text = plainLetters(textOf(one));
    return words.every((word) => text.includes(word));
  });
}

/** Without upper case and accents: nobody types those to find something. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
