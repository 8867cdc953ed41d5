import type { QueryClient } from '@tanstack/react-query';
import {
  type TokenFacets,
  type TokenPage,
  type TokenQuery,
  type TokenRow,
  type TokenSort,
  tokenSorts,
} from '../../../contract/token/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../../contract/token/token.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { windowCache } from '../../kit/live/window-cache.ts';

/** Which tokens the table shows and in which order, as its address says it. */
export interface Listing {
  readonly text: string;
  readonly statuses: readonly TokenStatus[];
  readonly category: string | undefined;
  readonly hasEveryGeneration: boolean;
  readonly sort: TokenSort;
  readonly order: 'asc' | 'desc';
}

/** In a window as wide as this the tokens are rows of columns. */
export const columnsFit = '(min-width: 62rem)';

/** The order that a list has when nobody asks for another: the newest first. */
export const usualSort: TokenSort = 'created';

/** What comes first where nobody says it: the latest, or the beginning of the alphabet. */
export function usualOrder(sort: TokenSort): Listing['order'] {
  return sort === 'created' || sort === 'changed' ? 'desc' : 'asc';
}

/** Reads an address. What is none of ours in it is left out: an old link still shows something. */
export function readListing(search: URLSearchParams): Listing {
  const named = search.get('status')?.split(',') ?? [];
  const statuses = tokenStatuses.filter((status) => named.includes(status));
  const sort = tokenSorts.find((one) => one === search.get('sort')) ?? usualSort;
  const order = search.get('order');
  return {
    text: (search.get('text') ?? '').slice(0, 200),
    statuses,
    category: search.get('category') ?? undefined,
    // What was superseded is never the newest.
    hasEveryGeneration: search.get('generations') === 'all' || statuses.includes('Superseded'),
    sort,
    order: order === 'asc' || order === 'desc' ? order : usualOrder(sort),
  };
}

/** What an address says for a change; undefined takes a part away. */
export function searchFor(changes: Partial<Listing>): Record<string, string | undefined> {
  const search: Record<string, string | undefined> = {};
  if (changes.text !== undefined) search['text'] = changes.text;
  if (changes.statuses !== undefined) search['status'] = changes.statuses.join(',');
  if ('category' in changes) search['category'] = changes.category;
  if (changes.hasEveryGeneration !== undefined)
    search['generations'] = changes.hasEveryGeneration ? 'all' : undefined;
  if (changes.sort !== undefined) {
    const { sort, order = usualOrder(sort) } = changes;
    search['sort'] = sort === usualSort ? undefined : sort;
    search['order'] = order === usualOrder(sort) ? undefined : order;
  }
  return search;
}

type Conditions = Pick<TokenQuery, 'text' | 'status' | 'category' | 'newest'>;

/** The conditions as the portal takes them. */
export function conditionsOf({ text, statuses, category, hasEveryGeneration }: Listing): Conditions {
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
    ...(category === undefined ? {} : { category }),
    ...(hasEveryGeneration ? {} : { newest: 'true' }),
  };
}

const rowsInPage = 100;
/** Pages that are further from what is in sight are forgotten: however far is scrolled, the window stays as small. */
const pagesKept = 8;
/** So long after the last page was asked for, in milliseconds. */
const forgetMs = 500;

/** Which credential keeps a token fresh is part of a row. */
const about = ['token.', 'credential.'];

/** How many tokens each other choice would show. */
export function tokenFacets(listing: Listing): Resource<TokenFacets> {
  const query = conditionsOf(listing);
  return {
    key: ['tokens', 'facets', JSON.stringify(query)],
    about,
    keepsPrevious: true,
    read: (signal) => askPortal('tokenFacets', { query, signal }),
  };
}

/** A page of the list, by its number from 0. */
export function tokenPage(listing: Listing, page: number): Resource<TokenPage> {
  const { sort, order } = listing;
  const query = { ...conditionsOf(listing), sort, order };
  const list = JSON.stringify(query);
  return {
    key: ['tokens', 'page', list, page],
    about,
    keepsPrevious: true,
    async read(signal) {
      forgetLater(list, page);
      return askPortal('listTokens', {
        query: { ...query, offset: String(page * rowsInPage), limit: String(rowsInPage) },
        signal,
      });
    },
  };
}

/** A row of the list, wherever in it; undefined until its page is known. Rows of a page are read together. */
export function useTokenRow(listing: Listing, index: number): TokenRow | undefined {
  const { known } = useLive(tokenPage(listing, Math.floor(index / rowsInPage)));
  return known?.value.tokens[index % rowsInPage];
}

/** The same for an event: what the row shows at this moment. */
export function knownRow(cache: QueryClient, listing: Listing, index: number): TokenRow | undefined {
  const { key } = tokenPage(listing, Math.floor(index / rowsInPage));
  return cache.getQueryData<{ readonly value: TokenPage }>(key)?.value.tokens[index % rowsInPage];
}

let forgetting: ReturnType<typeof setTimeout> | undefined;

/** In a while, and not while rows are just being drawn: those look at nothing yet, and still will. */
function forgetLater(list: string, page: number): void {
  clearTimeout(forgetting);
  forgetting = setTimeout(() => forgetFarPages(list, page), forgetMs);
}

/** What nobody looks at any more: other lists, and pages far from this one. */
function forgetFarPages(list: string, page: number): void {
  windowCache.removeQueries({
    queryKey: ['tokens', 'page'],
    type: 'inactive',
    predicate: ({ queryKey }) => queryKey[2] !== list || Math.abs(Number(queryKey[3]) - page) > pagesKept,
  });
}
