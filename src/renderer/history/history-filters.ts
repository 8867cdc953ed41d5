import { type ExportFormat, HistoryFilters } from '../../contract/history.ts';
import { searchFilters } from '../../text/events.ts';
import { startOfDate } from '../../text/time.ts';

const { kind, result, subject } = HistoryFilters.shape;

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
  const filters: HistoryFilters = {
    kind: kind.safeParse(of('kind')).data,
    result: result.safeParse(of('result')).data,
    subject: subject.safeParse(of('subject')).data,
    from: startOfDate(of('from') ?? '', 0),
    until: startOfDate(of('to') ?? '', 1),
    ...searchFilters(of('text') ?? ''),
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
