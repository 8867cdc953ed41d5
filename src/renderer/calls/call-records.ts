import { CallFilters, type CallPage } from '../../contract/calls/call.ts';
import { callsExport } from '../../contract/downloads.ts';
import { extensions } from '../directory/use-directory.ts';
import { storedMenus } from '../ivr/read-menus.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { readFilters } from '../kit/list/address-filters.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import type { KnownNames } from '../../text/menu/phone-menu.ts';
import { boundsOf, type Period } from './period.tsx';

/** How many records are read at once: at first, and each time that more are asked for. */
export const recordSteps = [100, 400, 1000] as const;

/** The records that match, newest first. */
export function callRecords(filters: CallFilters, limit: number): Resource<CallPage> {
  return {
    key: ['calls', 'records', JSON.stringify(filters), limit],
    about: ['calls.'],
    keepsPrevious: true,
    read: (signal) => askPortal('listCalls', { query: { ...filters, limit: String(limit) }, signal }),
  };
}

/** The period in the window's address. */
export function periodIn(address: URLSearchParams): Period {
  const kind = periodKinds.find((one) => one === address.get('period')) ?? 'month';
  return { kind, from: address.get('from') ?? '', to: address.get('to') ?? '' };
}

export const periodKinds = ['today', 'week', 'month', 'custom', 'all'] as const;

/** How the window's address filters the records. */
export function filtersIn(address: URLSearchParams, nowMs: number): CallFilters {
  return {
    ...boundsOf(periodIn(address), nowMs),
    ...readFilters(CallFilters.shape, { ivr: 'menu', pbx: 'system', end: 'end', search: 'text' }, address),
  };
}

/** Where the records that match are had as a file. */
export function callsExportPath(filters: CallFilters): string {
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  return `${callsExport.path}?${query.toString()}`;
}

/** What the menus and extensions are called now. */
export function useKnownNames(): KnownNames & { readonly menuName: (id: string) => string | undefined } {
  const menus = useLive(storedMenus).known?.value.menus ?? [];
  const known = useLive(extensions.live).known?.value ?? [];
  return { menus, extensions: known, menuName: (id) => menus.find((one) => one.id === id)?.name };
}
