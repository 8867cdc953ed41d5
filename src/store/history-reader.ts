import type { HistoryEvent } from '../contract/history/audit-event.ts';
import { chooseEvents, type EventChoice, foldCase, presentEvent } from '../core/history/choose-events.ts';
import { RunCollector, type SeqRun, seqsOf } from '../core/history/seq-runs.ts';
import type { HistoryFilter, HistorySearch } from '../core/ledger.ts';
import type { Journal } from './journal.ts';
import { atOfText, decodeLine, kindOfText, subjectOfText, withoutLinks } from './journal-line.ts';

/** Finds events in the journal and reads them, newest first. */
export class HistoryReader {
  readonly #journal: Journal;
  readonly #names: () => (subject: string) => string | undefined;

  /** `names` gives what finds the present name of a subject; it is made anew for each search. */
  constructor(journal: Journal, names: () => (subject: string) => string | undefined) {
    this.#journal = journal;
    this.#names = names;
  }

  async read(filter: HistoryFilter): Promise<HistoryEvent[]> {
    const found = await this.find(filter);
    const events: HistoryEvent[] = [];
    for await (const lines of this.#journal.readLines(seqsOf(found)))
      for (const { line } of lines) events.push(presentEvent(decodeLine(line)));
    return events;
  }

  async find(search: HistorySearch): Promise<readonly SeqRun[]> {
    const { limit = Infinity, signal } = search;
    const found = new RunCollector();
    const isWanted = lineMatcherFor(chooseEvents(search, this.#names()), search);
    if (isWanted === null) return this.#takePlaces(search);
    for await (const lines of this.#journal.readLines(await this.#placesOf(search))) {
      for (const { seq, line } of lines) {
        if (isWanted(line)) found.add(seq);
        if (found.count >= limit) return found.runs;
      }
      if (signal?.aborted === true) break;
    }
    return found.runs;
  }

  /** Without reading, if every event with a place there is wanted. */
  async #takePlaces(search: HistorySearch): Promise<readonly SeqRun[]> {
    const { limit = Infinity } = search;
    const { newest, oldest } = this.#rangeOf(search);
    if (search.subject === undefined && search.seqs === undefined) {
      const count = Math.min(newest - oldest + 1, limit);
      return count > 0 ? [{ from: newest, count }] : [];
    }
    const found = new RunCollector();
    for (const seq of await this.#placesOf(search)) {
      if (found.count >= limit) break;
      found.add(seq);
    }
    return found.runs;
  }

  #rangeOf({ before = Infinity, after = 0 }: HistorySearch): { newest: number; oldest: number } {
    return { newest: Math.min(this.#journal.lastSeq, before - 1), oldest: after + 1 };
  }

  /** Every place of a possible match, newest first; no line is read for that. */
  async #placesOf(search: HistorySearch): Promise<Iterable<number>> {
    const { subject, seqs } = search;
    const { newest, oldest } = this.#rangeOf(search);
    const only = seqs === undefined ? undefined : new Set(seqs);
    if (subject !== undefined) return within(await this.#journal.seqsOf(subject, newest), { oldest, only });
    if (only !== undefined) {
      const chosen = [...only].filter((seq) => seq <= newest);
      return within(
        chosen.sort((a, b) => b - a),
        { oldest },
      );
    }
    return downFrom(newest, oldest);
  }
}

function* downFrom(newest: number, oldest: number): Generator<number> {
  for (let seq = newest; seq >= oldest; seq -= 1) yield seq;
}

function* within(
  descending: Iterable<number>,
  { oldest, only }: { readonly oldest: number; readonly only?: ReadonlySet<number> | undefined },
): Generator<number> {
  for (const seq of descending) {
    if (seq < oldest) return;
    if (only?.has(seq) ?? true) yield seq;
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
