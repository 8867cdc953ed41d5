import type { QueryClient } from '@tanstack/react-query';

import type { TokenFacets, TokenPage, TokenRow } from '../../../contract/token-list.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { windowCache } from '../../kit/live/window-cache.ts';
import { conditionsOf, type Listing } from './listing.ts';

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
