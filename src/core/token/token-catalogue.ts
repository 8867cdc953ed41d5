import type { TokenFacets, TokenPage, TokenSort } from '../../contract/token/token-list.ts';
import type { TokenId } from '../../contract/token/token.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { FilteredTokens, type TokenFilter } from './filtered-tokens.ts';
import { dependsOnFamilies, OrderedTokens, TokenPlaces } from './ordered-tokens.ts';
import { credentialNamesByFamily, type CredentialNames, viewToken } from './view-token.ts';

/** A page of the tokens that match a filter. It starts after a token, or at an offset. */
export interface TokenPageQuery {
  readonly filter: TokenFilter;
  readonly sort: TokenSort;
  readonly isDescending: boolean;
  readonly after: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** A computed list, in the order that was requested last. */
interface List {
  readonly filtered: FilteredTokens;
  readonly names: CredentialNames;
  isLookedAt: boolean;
  order: {
    readonly sort: TokenSort;
    readonly families: number;
    readonly names: CredentialNames;
    readonly tokens: OrderedTokens;
  } | null;
}

/** How many filters a few windows use alternately. */
const maxLists = 6;

/**
 * Lists tokens, with any filter and in any order.
 *
 * Filtering and sorting 100,000 tokens takes tens of milliseconds, in which nothing else would be answered. So a list
 * is computed in steps (`step`) and then cached: the next page, and an update after a change, cost almost nothing.
 */
export class TokenCatalogue {
  readonly #state: State;
  readonly #places: TokenPlaces;
  /** By filter, the most recently used at the end. */
  readonly #lists = new Map<string, List>();
  #names: CredentialNames = new Map();

  constructor(state: State) {
    this.#state = state;
    this.#places = new TokenPlaces(state.tokens);
  }

  /** Continues the computation for a filter; true when nothing is left that can be done in steps. */
  step({ filter }: Pick<TokenPageQuery, 'filter'>, nowMs: number): boolean {
    const list = this.#listFor(filter, nowMs);
    list.isLookedAt ||= list.filtered.step();
    return list.isLookedAt;
  }

  /** Refuses a page that starts after a token that does not exist. */
  page(wanted: TokenPageQuery, nowMs: number): Result<TokenPage, 'no_such_token'> {
    const { isDescending, limit } = wanted;
    const order = this.#orderFor(wanted, nowMs);
    const total = order.length;
    const begin = this.#beginOf(order, wanted, nowMs);
    if (begin === null) return refused('no_such_token');
    const end = Math.min(total, begin + limit);
    const names = this.#credentialNames();
    const tokens: TokenPage['tokens'] = [];
    for (let place = begin; place < end; place += 1) {
      const token = this.#state.tokens.at(order.at(isDescending ? total - 1 - place : place));
      if (token === undefined) continue;
      const view = viewToken(this.#state, token, nowMs);
      tokens.push({ ...view, kept_fresh_by: names.get(token.familyId) ?? null });
    }
    return done({ tokens, total, next_after: end < total ? (tokens.at(-1)?.id ?? null) : null });
  }

  facets(filter: TokenFilter, nowMs: number): TokenFacets {
    return this.#upToDate(filter, nowMs).filtered.facets;
  }

  /** The list for a filter: the cached one, or a new one. */
  #listFor(filter: TokenFilter, nowMs: number): List {
    const key = JSON.stringify(filter);
    let list = this.#lists.get(key);
    this.#lists.delete(key);
    const names = this.#credentialNames();
    const hasOtherNames = filter.text !== null && list?.names !== names;
    if (hasOtherNames || !list?.filtered.mayCatchUp(nowMs)) {
      const filtered = new FilteredTokens(this.#state.tokens, filter, names);
      list = { filtered, names, isLookedAt: false, order: null };
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
    const names = this.#credentialNames();
    const known = list.order;
    const isSame = known?.families === families && known.names === names;
    if (known?.sort === sort && (isSame || !dependsOnFamilies(sort))) return known.tokens;
    const order = new OrderedTokens(tokens, list.filtered.members, this.#places.by(sort, names), nowMs);
    list.order = { sort, families, names, tokens: order };
    return order;
  }

  /** The same map as long as the names are the same. */
  #credentialNames(): CredentialNames {
    const before = this.#names;
    const names = credentialNamesByFamily(this.#state);
    const isSame = names.size === before.size && [...names].every(([id, name]) => before.get(id) === name);
    if (!isSame) this.#names = names;
    return this.#names;
  }

  /** How many come before the page. The token that it starts after may no longer be in the list. */
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
