/**
 * A spoken text as a menu has it, read: words for an engine, and silence of exact length. The tags are those that people know from
 * Twilio and Amazon Connect (SSML): `<break time="500ms"/>`, `<say-as interpret-as="digits">`, `<sub alias="…">`. Engines never see
 * one, so a text sounds alike with all of them, and none obeys what a text says.
 */
import type { Pronunciation, SpeechProblem, TagFault } from '../../contract/menu/speech.ts';
import { done, refused, type Result } from '../result.ts';
import { invariant } from '../unreachable.ts';
import { appliedPronunciations, pronounced } from './pronunciation.ts';
import { plainWords, readableLetters, signWord, unreadableLetters } from './spoken-words.ts';

const longestSpokenText = 1000;
const longestBreakMs = 5000;
/** All breaks of a text together: nobody waits longer before a menu goes on. */
const longestBreaksMs = 30_000;
/** Between spelled characters, and between them and words. */
const spellingPauseMs = 150;
/** What a problem shows of the tag that it found. */
const shownOfTag = 60;

/** Words for an engine, plain; or a silence. */
export type SpokenPart =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'pause'; readonly ms: number };

export interface SpokenText {
  /** Begins and ends with words or a break; at least one part has words. */
  readonly parts: readonly SpokenPart[];
  /** Letters that the language does not write with, each once: the voice leaves them out. A warning. */
  readonly unreadable: readonly string[];
}

export function readSpokenText(
  text: string,
  language: string,
  pronunciations: readonly Pronunciation[],
): Result<SpokenText, SpeechProblem> {
  if (text.length > longestSpokenText) return refused({ kind: 'too_long', most: longestSpokenText });
  const read = readPieces(text);
  if (!read.ok) return read;
  const breaksMs = read.value.reduce((sum, piece) => sum + (piece.kind === 'break' ? piece.ms : 0), 0);
  if (breaksMs > longestBreaksMs)
    return refused({ kind: 'pauses_too_long', ms: Math.round(breaksMs), most_ms: longestBreaksMs });
  const applied = appliedPronunciations(text, language, pronunciations);
  const unreadable = new Set<string>();

  const parts: SpokenPart[] = [];
  let words = '';
  const endWords = () => {
    for (const letter of unreadableLetters(words, language)) unreadable.add(letter);
    const plain = plainWords(words, language);
    if (readableLetters(plain)) parts.push({ kind: 'words', text: plain });
    words = '';
  };
  for (const piece of read.value) {
    if (piece.kind === 'typed') words += pronounced(piece.text, applied);
    else if (piece.kind === 'alias') words += piece.text;
    else {
      endWords();
      if (piece.kind === 'break') parts.push({ kind: 'pause', ms: piece.ms });
      else parts.push(...spelled(piece.text, language));
    }
  }
  endWords();

  const joined = withPausesOfSpelling(parts);
  return joined.some(({ kind }) => kind === 'words')
    ? done({ parts: joined, unreadable: [...unreadable] })
    : refused({ kind: 'nothing_to_say', ...(unreadable.size === 0 ? {} : { letters: [...unreadable] }) });
}

/** What is wrong with the first tag of a text that cannot be read; null: nothing is. */
export function spokenTagFault(text: string): SpeechProblem | null {
  const read = readPieces(text);
  return read.ok ? null : read.refusal;
}

type Piece =
  | { readonly kind: 'typed' | 'alias' | 'spelled'; readonly text: string }
  | { readonly kind: 'break'; readonly ms: number };

/** What has the shape of a tag, and what begins like one of ours and is not finished. */
const tag = /<\/?[A-Za-z][^<>]*>|<\/?(?:break|say-as|sub)(?![\p{L}\p{N}-])[^<>]*/gu;
const breakTag = /^<break\s+time\s*=\s*(["'])(\d{1,5}(?:\.\d{1,3})?)(ms|s)\1\s*\/>$/;
const spellTag = /^<say-as\s+interpret-as\s*=\s*(["'])(?:digits|characters)\1\s*>$/;
const aliasTag = /^<sub\s+alias\s*=\s*(?:"([^"]*)"|'([^']*)')\s*>$/;

/** What has the shape of a tag has to be one; every other `<` is a character. */
function readPieces(text: string): Result<readonly Piece[], SpeechProblem> {
  const tags = [...text.matchAll(tag)];
  const pieces: Piece[] = [];
  let from = 0;
  for (let nth = 0; nth < tags.length; nth += 1) {
    const { 0: opening, index: at } = tags[nth] ?? { 0: '', index: 0 };
    const read = readTag(opening, tags[nth + 1]?.[0]);
    if (typeof read === 'string')
      return refused({ kind: 'unreadable', at, found: opening.trimEnd().slice(0, shownOfTag), fault: read });
    if (at > from) pieces.push({ kind: 'typed', text: text.slice(from, at) });
    from = at + opening.length;
    if (read.kind === 'break') {
      pieces.push(read);
      continue;
    }
    const closing = tags[nth + 1];
    invariant(closing !== undefined, 'a tag that is read has its closing tag');
    const inner = text.slice(from, closing.index);
    pieces.push(read.kind === 'spelled' ? { kind: 'spelled', text: inner } : read);
    from = closing.index + closing[0].length;
    nth += 1;
  }
  if (from < text.length) pieces.push({ kind: 'typed', text: text.slice(from) });
  return done(pieces);
}

/** What a tag says, given the tag that comes after it; or what is wrong with it. */
function readTag(opening: string, next: string | undefined): Exclude<Piece, { kind: 'typed' }> | TagFault {
  const [, slash, name] = /^<(\/?)([A-Za-z][\w:-]*)/.exec(opening) ?? [];
  if (name !== 'break' && name !== 'say-as' && name !== 'sub') return 'unknown';
  if (!opening.endsWith('>')) return 'unfinished';
  if (slash === '/') return 'not_opened';
  if (name === 'break') return readBreak(opening);
  const alias = aliasTag.exec(opening);
  if (name === 'sub' && alias === null) return 'no_alias';
  if (name === 'say-as' && !spellTag.test(opening)) return 'spelling';
  if (next !== `</${name}>`) return 'not_closed';
  return name === 'sub'
    ? { kind: 'alias', text: alias?.[1] ?? alias?.[2] ?? '' }
    : { kind: 'spelled', text: '' };
}

function readBreak(opening: string): (Piece & { kind: 'break' }) | TagFault {
  const [, , time, unit] = breakTag.exec(opening) ?? [];
  if (time === undefined) return 'pause_length';
  const ms = unit === 's' ? Number(time) * 1000 : Number(time);
  return ms > longestBreakMs ? 'pause_too_long' : { kind: 'break', ms };
}

/** Each letter, digit and named sign for itself; spaces and other signs only group them ("47-11"). */
function spelled(text: string, language: string): readonly SpokenPart[] {
  return (text.match(/\P{M}\p{M}*/gu) ?? []).flatMap((character) => {
    const word = signWord(character, language) ?? plainWords(character, language);
    return readableLetters(word) ? [{ kind: 'words' as const, text: word }] : [];
  });
}

/** Words that stand beside each other without a break were spelled, one of them at least. */
function withPausesOfSpelling(parts: readonly SpokenPart[]): readonly SpokenPart[] {
  return parts.flatMap((part, nth) => {
    const isBesideWords = part.kind === 'words' && parts[nth - 1]?.kind === 'words';
    return isBesideWords ? [{ kind: 'pause' as const, ms: spellingPauseMs }, part] : [part];
  });
}
