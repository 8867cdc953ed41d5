import type { HistoryFilters } from '../contract/history/history.ts';
import type { HistoryPage } from '../contract/service/portal.ts';
import { optionHelp } from '../text/cli/cli.ts';
import { wholeNumber } from './option-values.ts';
import type { Portal } from './open-portal.ts';

/** The options of the history of one token or credential. */
export const historyOptions = {
  '--limit <n>': { help: optionHelp.historyLimit, read: wholeNumber(1, 1_000_000), usual: 100 },
  '--before <seq>': { help: optionHelp.before, read: wholeNumber(0, 999_999_999_999_999) },
} as const;

export interface HistorySelection {
  readonly filters?: HistoryFilters;
  readonly limit: number;
  /** Only events before this one. */
  readonly before?: number | undefined;
}

/** A subject with a separate history. */
export type HistoryOwner = { readonly tokenId: string } | { readonly credential: string };

/** Reads the selected part of the history, newest first; of one token or credential if given. */
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

/** A page of a long list, and where the next one begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** The largest page of the service. */
const pageSize = 1000;

/** Reads as many items as asked for, page by page, from a place on. */
export async function collectPages<T>(
  { limit, from }: { limit: number; from?: string | undefined },
  readPage: (limit: string, from: string | undefined) => Promise<Page<T>>,
): Promise<{ items: T[]; next: string | null }> {
  const items: T[] = [];
  let next: string | null | undefined = from;
  do {
    const page: Page<T> = await readPage(String(Math.min(pageSize, limit - items.length)), next);
    items.push(...page.items);
    next = page.next;
  } while (next !== null && items.length < limit);
  return { items, next };
}
