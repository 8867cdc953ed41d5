import { havingWords } from '../kit/having-words.ts';
import type { Entry } from './directory.ts';

/** The entries that have every word somewhere: in the id, the name or the text. */
export function findEntries(entries: readonly Entry[], sought: string): readonly Entry[] {
  return havingWords(entries, sought, ({ id, name, text }) => `${id}\n${name}\n${text ?? ''}`);
}
