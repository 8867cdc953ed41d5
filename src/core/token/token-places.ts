import type { TokenSort } from '../../contract/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../contract/token.ts';
import { unreachable } from '../unreachable.ts';
import { FamilyRanks } from './family-ranks.ts';
import type { PlaceOf } from './ordered-tokens.ts';
import { changedAtMs, statusAt } from './token.ts';
import type { TokenTable } from './token-table.ts';

/** Seconds are counted from here: small numbers leave room for many tokens. */
const firstSecond = Date.UTC(2026, 0, 1) / 1000;

const placeByStatus = Object.fromEntries(tokenStatuses.map((status, place) => [status, place])) as Record<
  TokenStatus,
  number
>;

/** What tokens are put in order by. */
export class TokenPlaces {
  readonly #tokens: TokenTable;
  readonly #names = new FamilyRanks(({ configuration }) => configuration.name);
  readonly #categories = new FamilyRanks(({ configuration }) => configuration.category);

  constructor(tokens: TokenTable) {
    this.#tokens = tokens;
  }

  /** Works ahead for `by`; true when there is nothing left that can be done in steps. */
  step(sort: TokenSort): boolean {
    return !dependsOnFamilies(sort) || this.#ranksBy(sort).step(this.#tokens);
  }

  /** For the table as it is; a family more moves the places of others where `dependsOnFamilies`. */
  by(sort: TokenSort): PlaceOf {
    switch (sort) {
      case 'created':
        return () => 0; // the order of issue
      case 'changed':
        return (token, nowMs) => secondOf(changedAtMs(token, nowMs) ?? 0);
      case 'expires':
        return ({ expiresAtMs }) => secondOf(expiresAtMs);
      case 'status':
        return (token, nowMs) => placeByStatus[statusAt(token, nowMs)];
      case 'name':
      case 'category': {
        const ranks = this.#ranksBy(sort).of(this.#tokens);
        return ({ familyOrdinal }) => ranks[familyOrdinal] ?? 0;
      }
      default:
        return unreachable(sort);
    }
  }

  #ranksBy(sort: 'name' | 'category'): FamilyRanks {
    return sort === 'name' ? this.#names : this.#categories;
  }
}

/** Whether an order has to be made anew when a family came. */
export function dependsOnFamilies(sort: TokenSort): sort is 'name' | 'category' {
  return sort === 'name' || sort === 'category';
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000) - firstSecond;
}
