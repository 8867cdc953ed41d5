import { type ExportFormat, HistoryFilters } from '../../contract/history/history.ts';
import { searchFilters } from '../../text/window/events.ts';
import { startOfDate } from '../../text/time.ts';
import { readFilters } from '../kit/list/address-filters.ts';

/** The parts of the address that leave events out. */
export const filterNames = ['text', 'kind', 'result', 'subject', 'from', 'to'] as const;

const byName = { kind: 'kind', result: 'result', subject: 'subject' } as const;

/** How the window's address filters the history. */
export function filtersOf(search: URLSearchParams): HistoryFilters {
  const [from, until] = [startOfDate(search.get('from') ?? '', 0), startOfDate(search.get('to') ?? '', 1)];
  return {
    ...readFilters(HistoryFilters.shape, byName, search),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...searchFilters(search.get('text') ?? ''),
  };
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
