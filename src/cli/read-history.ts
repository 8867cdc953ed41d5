import type { HistoryFilters } from '../contract/history.ts';
import type { HistoryPage } from '../contract/portal.ts';
import { collectPages } from './collect-pages.ts';
import type { Portal } from './portal.ts';

export interface HistorySelection {
  readonly filters?: HistoryFilters;
  readonly limit: number;
  /** Only events before this one. */
  readonly before?: number | undefined;
}

/** A thing that has a history of its own. */
export type HistoryOwner = { readonly tokenId: string } | { readonly credential: string };

/** As much of the history as asked for, newest first; of one token or credential when it is named. */
export async function readHistory(
  portal: Portal,
  { filters, limit, before }: HistorySelection,
  owner?: HistoryOwner,
): Promise<HistoryPage> {
  const from = before === undefined ? undefined : String(before);
  const { items, next } = await collectPages({ limit, from }, async (limit, before) => {
    const page = await readPage({ limit, before });
    return { items: page.events, next: page.next_before === null ? null : String(page.next_before) };
  });
  return { events: items, next_before: next === null ? null : Number(next) };

  function readPage(page: { limit: string; before: string | undefined }): Promise<HistoryPage> {
    if (owner === undefined) return portal.ask('readHistory', { query: { ...filters, ...page } });
    if ('tokenId' in owner) return portal.ask('tokenHistory', { params: { id: owner.tokenId }, query: page });
    return portal.ask('credentialHistory', { params: { name: owner.credential }, query: page });
  }
}
