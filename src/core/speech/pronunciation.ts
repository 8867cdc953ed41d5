import type { FieldProblem } from '../../contract/field-problem.ts';
import {
  type Pronunciation,
  pronunciationLimit,
  type PronunciationName,
} from '../../contract/menu/speech.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';

/** Of one word and language there is one pronunciation. */
export function pronunciationId({ word, language }: PronunciationName): string {
  return JSON.stringify([word, language]);
}

/** Sets and removes pronunciations: all of them, or none. What is unchanged, and the removal of missing ones, is no change. */
export function changePronunciations(
  { pronunciations }: State,
  { set, remove }: { readonly set: readonly Pronunciation[]; readonly remove: readonly PronunciationName[] },
): Decision<Result<null, readonly FieldProblem[]>> {
  const ids = set.map(pronunciationId);
  const removed = remove.filter((one) => pronunciations.has(pronunciationId(one)));
  const gone = new Set(remove.map(pronunciationId));
  const errors = set.flatMap(({ word: id }, place): FieldProblem[] => {
    const [field, own] = [`set[${String(place)}].word`, ids[place] ?? ''];
    if (ids.indexOf(own) !== place) return [{ field, code: 'listed_twice', params: { id } }];
    return gone.has(own) ? [{ field, code: 'also_removed', params: { id } }] : [];
  });
  const added = ids.filter((id) => !pronunciations.has(id));
  if (pronunciations.size - removed.length + added.length > pronunciationLimit)
    errors.push({
      field: 'set',
      code: 'directory_full',
      params: { most: pronunciationLimit, of: 'pronunciations' },
    });
  if (errors.length > 0) return { events: [], value: refused(errors) };
  const differing = set.filter((one) => pronunciations.get(pronunciationId(one))?.say !== one.say);
  if (differing.length + removed.length === 0) return { events: [], value: done(null) };
  return {
    events: [
      {
        kind: 'pronunciations.changed',
        subject: 'pronunciations',
        actor: { kind: 'owner' },
        data: { set: differing, removed },
      },
    ],
    value: done(null),
  };
}

/** Those whose word is in the text: only a change of these changes its sound. In the order of their words. */
export function appliedPronunciations(
  text: string,
  language: string,
  list: readonly Pronunciation[],
): readonly Pronunciation[] {
  const found = new Set(wordsFound(text, indexFor(language, list)).map(({ pronunciation }) => pronunciation));
  return [...found].sort((a, b) => (a.word < b.word ? -1 : 1));
}

/** Of each list and language once: every text of a service is compared with the same list. */
const indexes = new WeakMap<readonly Pronunciation[], Map<string, WordIndex>>();

function indexFor(language: string, list: readonly Pronunciation[]): WordIndex {
  const ofList = indexes.get(list) ?? new Map<string, WordIndex>();
  indexes.set(list, ofList);
  const known = ofList.get(language);
  if (known !== undefined) return known;
  // What is for the language itself comes last: of one word, the last one holds.
  const fitting = list
    .filter((one) => one.word !== '' && covers(one.language, language))
    .sort((a, b) => (a.language?.length ?? 0) - (b.language?.length ?? 0));
  const index = wordIndex(fitting);
  ofList.set(language, index);
  return index;
}

/** The text with each word said as the list has it. What is put in is not looked at again. */
export function pronounced(text: string, applied: readonly Pronunciation[]): string {
  let said = '';
  let from = 0;
  for (const { at, length, pronunciation } of wordsFound(text, wordIndex(applied))) {
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

interface WordIndex {
  readonly exact: ReadonlyMap<string, Pronunciation>;
  /** Those in small letters. */
  readonly small: ReadonlyMap<string, Pronunciation>;
  /** Of the words, the longest first. */
  readonly lengths: readonly number[];
}

function wordIndex(list: readonly Pronunciation[]): WordIndex {
  const exact = new Map(list.map((one) => [one.word, one]));
  const small = new Map([...exact].filter(([word]) => word === word.toLowerCase()));
  const lengths = [...new Set(list.map(({ word }) => word.length))].sort((a, b) => b - a);
  return { exact, small, lengths };
}

interface FoundWord {
  readonly at: number;
  readonly length: number;
  readonly pronunciation: Pronunciation;
}

/**
 * Whole words, the longest where several begin. A word in small letters is found in any case, one with a capital only as it is
 * written: "US" is not "us". The time grows with the text, and not with the list.
 */
function wordsFound(text: string, { exact, small, lengths }: WordIndex): readonly FoundWord[] {
  if (lengths.length === 0) return [];
  const isInWord = wordUnits(text);
  const found: FoundWord[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (isInWord[at - 1] === true) continue;
    for (const length of lengths) {
      if (at + length > text.length || isInWord[at + length] === true) continue;
      const word = text.slice(at, at + length);
      const pronunciation = exact.get(word) ?? small.get(word.toLowerCase());
      if (pronunciation === undefined) continue;
      found.push({ at, length, pronunciation });
      at += length - 1;
      break;
    }
  }
  return found;
}

/** For each place in a text whether a letter, a mark or a number is there. */
function wordUnits(text: string): readonly boolean[] {
  return Array.from(text).flatMap((character) => {
    const isOfWord = /[\p{L}\p{M}\p{N}]/u.test(character);
    return Array.from({ length: character.length }, () => isOfWord);
  });
}
