import { type FileHandle, open } from 'node:fs/promises';
import type { HistoryEvent } from '../contract/audit-event.ts';
import { chooseEvents, type EventChoice, foldCase } from '../core/history/choose-events.ts';
import { RunCollector, type SeqRun, seqsOf } from '../core/history/seq-runs.ts';
import { type HistoryFilter, type HistorySearch, HistoryUnreadable } from '../core/ledger.ts';
import { presentEvent } from '../core/present-event.ts';
import type { HistoryIndex } from './history-index.ts';
import { atOfText, decodeLine, kindOfText, subjectOfText, withoutLinks } from './journal-line.ts';

/** Finds events in the journal's files and reads them, newest first, by their places in the index. */
export class HistoryReader {
  readonly #index: HistoryIndex;
  readonly #names: () => (subject: string) => string | undefined;

  /** `names` gives what finds the present name of a subject; it is made anew for each search. */
  constructor(index: HistoryIndex, names: () => (subject: string) => string | undefined) {
    this.#index = index;
    this.#names = names;
  }

  async read(filter: HistoryFilter): Promise<HistoryEvent[]> {
    const found = await this.find(filter);
    const events: HistoryEvent[] = [];
    for await (const lines of readLines(this.#index, seqsOf(found)))
      for (const { line } of lines) events.push(presentEvent(decodeLine(line)));
    return events;
  }

  async find(search: HistorySearch): Promise<readonly SeqRun[]> {
    const { limit = Infinity, signal } = search;
    const found = new RunCollector();
    const isWanted = lineMatcherFor(chooseEvents(search, this.#names()), search);
    if (isWanted === null) return this.#takePlaces(search);
    for await (const lines of readLines(this.#index, this.#placesOf(search))) {
      for (const { seq, line } of lines) {
        if (isWanted(line)) found.add(seq);
        if (found.count >= limit) return found.runs;
      }
      if (signal?.aborted === true) break;
    }
    return found.runs;
  }

  /** Without reading, if every event with a place there is wanted. */
  #takePlaces(search: HistorySearch): readonly SeqRun[] {
    const { limit = Infinity } = search;
    const { newest, oldest } = this.#rangeOf(search);
    if (search.subject === undefined && search.seqs === undefined) {
      const count = Math.min(newest - oldest + 1, limit);
      return count > 0 ? [{ from: newest, count }] : [];
    }
    const found = new RunCollector();
    for (const seq of this.#placesOf(search)) {
      if (found.count >= limit) break;
      found.add(seq);
    }
    return found.runs;
  }

  #rangeOf({ before = Infinity, after = 0 }: HistorySearch): { newest: number; oldest: number } {
    return { newest: Math.min(this.#index.lastSeq, before - 1), oldest: after + 1 };
  }

  /** Every place of a possible match, newest first; no file is read for that. */
  *#placesOf(search: HistorySearch): Generator<number> {
    const { newest, oldest } = this.#rangeOf(search);
    const only = search.seqs === undefined ? undefined : new Set(search.seqs);
    for (const seq of this.#candidatesOf(search, newest)) {
      if (seq < oldest) return;
      if (seq <= newest && (only?.has(seq) ?? true)) yield seq;
    }
  }

  *#candidatesOf({ subject, seqs }: HistorySearch, newest: number): Generator<number> {
    if (subject !== undefined) yield* this.#placesOfSubject(subject);
    else if (seqs !== undefined) yield* [...new Set(seqs)].sort((a, b) => b - a);
    else for (let seq = newest; seq > 0; seq -= 1) yield seq;
  }

  *#placesOfSubject(subject: string): Generator<number> {
    for (let seq = this.#index.lastOf(subject); seq > 0; seq = this.#index.previousOfSubject(seq)) yield seq;
  }
}

/**
 * Tests whether a line of the journal is an event that a search is for; null when every line is.
 *
 * Parsing a line costs ten times as much as searching its text, so a line is parsed only if its text contains what is sought:
 * other lines cannot match, and in this line it may be a field's name or a sealed part.
 */
function lineMatcherFor(
  { sought, allowsKind, allowsTime, isMeant, isChosen }: EventChoice,
  { kinds, result, matches, from, until }: HistorySearch,
): ((line: string) => boolean) | null {
  const hasKinds = kinds !== undefined || result !== undefined;
  const hasTime = from !== undefined || until !== undefined;
  if (!hasKinds && !hasTime && sought === undefined && matches === undefined) return null;
  const soughtInJson = sought === undefined ? '' : foldCase(JSON.stringify(sought).slice(1, -1));

  return (line) => {
    const kind = kindOfText(line);
    if (!allowsKind(kind) || (hasTime && !allowsTime(atOfText(line)))) return false;
    const isSure = sought === undefined || isMeant(kind, subjectOfText(line));
    if (isSure && matches === undefined) return true;
    if (!isSure && !foldCase(withoutLinks(line)).includes(soughtInJson)) return false;
    const event = presentEvent(decodeLine(line));
    return (isSure || isChosen(event)) && (matches?.(event) ?? true);
  };
}

/** How much is read from disk and searched before other requests are answered, in bytes. */
const stretchBytes = 128 * 1024;

export interface EventLine {
  readonly seq: number;
  /** As it is in the journal, without its newline. */
  readonly line: string;
}

/** Neighbours on disk, at least one, newest first. */
type Stretch = number[];

/**
 * Reads the lines of some events, newest first, in stretches; requests are answered between two stretches.
 *
 * `seqs` descend. Neighbours share a read, and each file is opened only once.
 */
async function* readLines(index: HistoryIndex, seqs: Iterable<number>): AsyncGenerator<EventLine[]> {
  let opened: { readonly path: string; readonly file: FileHandle } | undefined;
  let buffer = Buffer.allocUnsafe(0);
  try {
    for (const stretch of stretchesOf(index, seqs)) {
      const [newest = 0, oldest = newest] = [stretch[0], stretch.at(-1)];
      const { path } = index.segmentOf(newest);
      if (opened?.path !== path) {
        await opened?.file.close();
        opened = { path, file: await open(path, 'r') };
      }
      const start = index.offsetOf(oldest);
      const length = index.endOf(newest) - start;
      if (buffer.length < length) buffer = Buffer.allocUnsafe(Math.max(length, stretchBytes));
      const { bytesRead } = await opened.file.read(buffer, 0, length, start);
      if (bytesRead < length)
        throw new HistoryUnreadable({ kind: 'file_cut', file: path, byte: start + bytesRead });
      yield stretch.map((seq) => ({
        seq,
        line: buffer.toString('utf8', index.offsetOf(seq) - start, index.endOf(seq) - start - 1),
      }));
    }
  } finally {
    await opened?.file.close();
  }
}

function* stretchesOf(index: HistoryIndex, seqs: Iterable<number>): Generator<Stretch> {
  let stretch: Stretch = [];
  let firstSeq = 0;
  let end = 0;
  for (const seq of seqs) {
    const isNear = seq >= firstSeq && end - index.offsetOf(seq) <= stretchBytes;
    if (stretch.length > 0 && !isNear) {
      yield stretch;
      stretch = [];
    }
    if (stretch.length === 0) {
      ({ firstSeq } = index.segmentOf(seq));
      end = index.endOf(seq);
    }
    stretch.push(seq);
  }
  if (stretch.length > 0) yield stretch;
}
