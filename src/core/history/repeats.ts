import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { resultOfEvent } from './choose-events.ts';

/** An event, and how often the same has happened. */
export interface Repeated {
  /** The latest of them. */
  readonly event: HistoryEvent;
  readonly count: number;
  /** When it happened first. */
  readonly since: string;
  /** Whether older events than those of the list may be the same. */
  readonly mayGoOn: boolean;
}

/**
 * What failed again and again, in one row, in a list with the newest first: of events of one subject that follow each other and of which the
 * same is said. Events of others may have come between. Fifty equal rows hide what happened before.
 */
export function withoutRepeats(
  events: readonly HistoryEvent[],
  wordsOf: (event: HistoryEvent) => string,
): Repeated[] {
  const rows: Repeated[] = [];
  /** The row of each subject that came last, and what it says of a failure. */
  const last = new Map<string, { readonly place: number; readonly words: string | null }>();
  for (const event of events) {
    const isFailure = resultOfEvent(event.kind) !== 'ok';
    const words = isFailure ? JSON.stringify([event.kind, wordsOf(event)]) : null;
    const before = last.get(event.subject);
    const row = words === null || before?.words !== words ? undefined : rows[before.place];
    if (before !== undefined && row !== undefined) {
      rows[before.place] = { ...row, count: row.count + 1, since: event.at };
      continue;
    }
    last.set(event.subject, { place: rows.length, words });
    rows.push({ event, count: 1, since: event.at, mayGoOn: false });
  }
  // Of the last of each subject, older events may say the same.
  for (const { place } of last.values()) {
    const row = rows[place];
    if (row !== undefined) rows[place] = { ...row, mayGoOn: true };
  }
  return rows;
}
