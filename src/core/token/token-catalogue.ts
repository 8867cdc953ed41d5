import type { TokenFacets, TokenPage, TokenSort } from '../../contract/token-list.ts';
import type { TokenId } from '../../contract/token.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { FilteredTokens, type TokenFilter } from './filtered-tokens.ts';
import { dependsOnFamilies, OrderedTokens, TokenPlaces } from './ordered-tokens.ts';
import { credentialNamesByFamily, viewToken } from './view-token.ts';

/** A page of the tokens that meet a filter. It begins after a token, or so many into the list. */
export interface TokenPageQuery {
  readonly filter: TokenFilter;
  readonly sort: TokenSort;
  readonly isDescending: boolean;
  readonly after: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** A list that was worked out, in the order that was asked for last. */
interface List {
  readonly filtered: FilteredTokens;
  isLookedAt: boolean;
  order: { readonly sort: TokenSort; readonly families: number; readonly tokens: OrderedTokens } | null;
}

/** As many filters as a few windows ask for in turn. */
const maxLists = 6;

/**
 * Lists tokens, with any filter and in any order.
 *
 * To look at 100,000 tokens and put them in order takes tens of milliseconds in which nothing else would be answered. So
 * a list is worked out in steps (`step`), and then kept: the next page of it, and the next look after a change, cost
 * next to nothing.
 */
export class TokenCatalogue {
  readonly #state: State;
  readonly #places: TokenPlaces;
  /** By filter, the one that was asked for last at the end. */
  readonly #lists = new Map<string, List>();

  constructor(state: State) {
    this.#state = state;
    this.#places = new TokenPlaces(state.tokens);
  }

  /** Works ahead for a filter; true when there is nothing left that can be done in steps. */
  step({ filter }: Pick<TokenPageQuery, 'filter'>, nowMs: number): boolean {
    const list = this.#listFor(filter, nowMs);
    list.isLookedAt ||= list.filtered.step();
    return list.isLookedAt;
  }

  /** Refuses a page that is to begin after a token that is none. */
  page(wanted: TokenPageQuery, nowMs: number): Result<TokenPage, 'no_such_token'> {
    const { isDescending, limit } = wanted;
    const order = this.#orderFor(wanted, nowMs);
    const total = order.length;
    const begin = this.#beginOf(order, wanted, nowMs);
    if (begin === null) return refused('no_such_token');
    const end = Math.min(total, begin + limit);
    const keptBy = credentialNamesByFamily(this.#state);
    const tokens: TokenPage['tokens'] = [];
    for (let place = begin; place < end; place += 1) {
      const token = this.#state.tokens.at(order.at(isDescending ? total - 1 - place : place));
      if (token === undefined) continue;
      const view = viewToken(this.#state, token, nowMs);
      tokens.push({ ...view, kept_fresh_by: keptBy.get(token.familyId) ?? null });
    }
    return done({ tokens, total, next_after: end < total ? (tokens.at(-1)?.id ?? null) : null });
  }

  facets(filter: TokenFilter, nowMs: number): TokenFacets {
    return this.#upToDate(filter, nowMs).filtered.facets;
  }

  /** The list for a filter: as it was left, or one that has yet to be looked at. */
  #listFor(filter: TokenFilter, nowMs: number): List {
    const key = JSON.stringify(filter);
    let list = this.#lists.get(key);
    this.#lists.delete(key);
    if (!list?.filtered.mayCatchUp(nowMs)) {
      list = { filtered: new FilteredTokens(this.#state.tokens, filter), isLookedAt: false, order: null };
      list.filtered.begin(nowMs);
    }
    const [oldest] = this.#lists.keys();
    if (this.#lists.size >= maxLists && oldest !== undefined) this.#lists.delete(oldest);
    this.#lists.set(key, list);
    return list;
  }

  #upToDate(filter: TokenFilter, nowMs: number): List {
    const list = this.#listFor(filter, nowMs);
    while (!list.isLookedAt) list.isLookedAt = list.filtered.step();
    list.filtered.catchUp(nowMs, (token, isMember) => {
      if (list.order?.tokens.move(token, isMember, nowMs) === false) list.order = null;
    });
    return list;
  }

  #orderFor({ filter, sort }: TokenPageQuery, nowMs: number): OrderedTokens {
    const list = this.#upToDate(filter, nowMs);
    const { tokens } = this.#state;
    const families = tokens.members.length;
    const known = list.order;
    if (known?.sort === sort && (known.families === families || !dependsOnFamilies(sort)))
      return known.tokens;
    const order = new OrderedTokens(tokens, list.filtered.members, this.#places.by(sort), nowMs);
    list.order = { sort, families, tokens: order };
    return order;
  }

  /** How many come before the page. The token that it begins after need not be in the list any more. */
  #beginOf(
    order: OrderedTokens,
    { after, offset, isDescending }: TokenPageQuery,
    nowMs: number,
  ): number | null {
    if (after === null) return offset;
    const token = this.#state.tokens.get(after as TokenId);
    if (token === undefined) return null;
    const before = order.countBefore(token, nowMs);
    if (isDescending) return order.length - before;
    return order.has(token) ? before + 1 : before;
  }
}
