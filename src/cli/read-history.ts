import type { HistoryPage } from '../contract/portal.ts';
import { collectPages } from './collect-pages.ts';
import type { Portal } from './portal.ts';

export interface HistorySelection {
  readonly subject?: string | undefined;
  readonly kind?: string | undefined;
  readonly limit: number;
  /** Only events before this one. */
  readonly before?: number | undefined;
}

/** As much of the history as asked for, newest first; of one token when its id is given. */
export async function readHistory(
  portal: Portal,
  { subject, kind, limit, before }: HistorySelection,
  tokenId?: string,
): Promise<HistoryPage> {
  const from = before === undefined ? undefined : String(before);
  const { items, next } = await collectPages({ limit, from }, async (limit, before) => {
    const page =
      tokenId === undefined
        ? await portal.ask('readHistory', { query: { subject, kind, limit, before } })
        : await portal.ask('tokenHistory', { params: { id: tokenId }, query: { limit, before } });
    return { items: page.events, next: page.next_before === null ? null : String(page.next_before) };
  });
  return { events: items, next_before: next === null ? null : Number(next) };
}
