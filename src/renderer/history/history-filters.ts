import { type ExportFormat, HistoryFilters } from '../../contract/history.ts';
import { kindsSaying } from './event-words.ts';

const { kind, result, subject } = HistoryFilters.shape;
/** The contract's bound, for the field that is typed into. */
export const maxTextLength = 200;

/**
 * How the window's address filters the history.
 *
 * What the contract would refuse is left out: an address can be typed, and is no reason to show nothing.
 */
export function filtersOf(search: URLSearchParams): HistoryFilters {
  const of = (name: string): string | undefined => {
    const value = search.get(name);
    return value === null || value === '' ? undefined : value;
  };
  const text = (of('text') ?? '').trim().slice(0, maxTextLength);
  const filters: HistoryFilters = {
    kind: kind.safeParse(of('kind')).data,
    result: result.safeParse(of('result')).data,
    subject: subject.safeParse(of('subject')).data,
    text: text === '' ? undefined : text,
    // What is found is what is shown: also the words that a row has for the kind of its event.
    text_kind: text === '' ? undefined : kindsSaying(text),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** Whether anything is left out. */
export function isFiltered(filters: HistoryFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Where the events that a filter lets through are had as a file. */
export function exportPath(path: string, format: ExportFormat, filters: HistoryFilters): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return `${path}?${query.toString()}`;
}
