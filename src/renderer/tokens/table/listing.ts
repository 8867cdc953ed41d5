import { type TokenQuery, type TokenSort, tokenSorts } from '../../../contract/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../../contract/token.ts';

/** Which tokens the table shows and in which order, as its address says it. */
export interface Listing {
  readonly text: string;
  readonly statuses: readonly TokenStatus[];
  readonly category: string | undefined;
  readonly hasEveryGeneration: boolean;
  readonly sort: TokenSort;
  readonly order: 'asc' | 'desc';
}

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

/** Whether anything is left out of the list. */
export function isFiltered({ text, statuses, category }: Listing): boolean {
  return text.trim() !== '' || statuses.length > 0 || category !== undefined;
}

/** Takes every condition away. */
export const unfiltered: Partial<Listing> = { text: '', statuses: [], category: undefined };

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
