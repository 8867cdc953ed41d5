import type { Entry } from './directory.ts';

/** The entries that have every word somewhere: in the id, the name or the text. */
export function findEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter((one) => {
    const all = `${one.id}\n${one.name}\n${one.text ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
