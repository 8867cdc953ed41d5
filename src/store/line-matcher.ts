import type { EventChoice } from '../core/history/choose-events.ts';
import { foldCase } from '../core/history/fold-case.ts';
import type { HistorySearch } from '../core/ledger.ts';
import { presentEvent } from '../core/present-event.ts';
import { decodeLine, kindOfText, subjectOfText, withoutLinks } from './journal-line.ts';

/**
 * Tells whether a line of the journal is an event that a search is for; null when every line is.
 *
 * Parsing a line costs ten times what looking at its text costs, so it is done only where the text has what is sought: a
 * line that has not is no match, and one that has may have it in a field's name or in a sealed part.
 */
export function lineMatcherFor(
  { sought, allowsKind, isMeant, isChosen }: EventChoice,
  { kinds, result, matches }: HistorySearch,
): ((line: string) => boolean) | null {
  const hasKinds = kinds !== undefined || result !== undefined;
  if (!hasKinds && sought === undefined && matches === undefined) return null;
  const soughtInJson = sought === undefined ? '' : foldCase(JSON.stringify(sought).slice(1, -1));

  return (line) => {
    const kind = kindOfText(line);
    if (!allowsKind(kind)) return false;
    const isSure = sought === undefined || isMeant(kind, subjectOfText(line));
    if (isSure && matches === undefined) return true;
    if (!isSure && !foldCase(withoutLinks(line)).includes(soughtInJson)) return false;
    const event = presentEvent(decodeLine(line));
    return (isSure || isChosen(event)) && (matches?.(event) ?? true);
  };
}
