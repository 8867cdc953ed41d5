import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenQuery, tokenSorts } from '../../../src/contract/token/token-list.ts';
import { tokenStatuses } from '../../../src/contract/token/token.ts';
import {
  conditionsOf,
  type Listing,
  readListing,
  searchFor,
} from '../../../src/renderer/tokens/table/listing.ts';

/** The address after changes, as `setSearch` makes it. */
function addressAfter(changes: Partial<Listing>, before = ''): URLSearchParams {
  const search = new URLSearchParams(before);
  for (const [name, value] of Object.entries(searchFor(changes))) {
    if (value === undefined || value === '') search.delete(name);
    else search.set(name, value);
  }
  return search;
}

const usual: Listing = {
  text: '',
  statuses: [],
  category: undefined,
  hasEveryGeneration: false,
  sort: 'created',
  order: 'desc',
};

describe('a list of tokens in the address', () => {
  it('is the newest of each family, the newest first, where the address says nothing', () => {
    expect(readListing(new URLSearchParams())).toEqual(usual);
  });

  it('comes back as it was written', () => {
    fc.assert(
      fc.property(
        fc.record({
          text: fc.string({ maxLength: 50, unit: 'grapheme' }),
          statuses: fc.subarray([...tokenStatuses]),
          category: fc.option(fc.string({ minLength: 1, maxLength: 50 }), { nil: undefined }),
          hasEveryGeneration: fc.boolean(),
          sort: fc.constantFrom(...tokenSorts),
          order: fc.constantFrom('asc' as const, 'desc' as const),
        }),
        (listing) => {
          const read = readListing(addressAfter(listing));
          const shown = listing.hasEveryGeneration || listing.statuses.includes('Superseded');
          expect(read).toEqual({ ...listing, hasEveryGeneration: shown });
        },
      ),
    );
  });

  it('leaves out what is none of ours, and always makes a query that the portal takes', () => {
    const words = fc.constantFrom(
      'Active',
      'Dead',
      'Superseded,',
      'name',
      'up',
      'asc',
      'all',
      ' ',
      'x'.repeat(300),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('text', 'status', 'generations', 'sort', 'order'), words),
        (address) => {
          const listing = readListing(new URLSearchParams(address));
          const { sort, order } = listing;
          expect(TokenQuery.safeParse({ ...conditionsOf(listing), sort, order }).success).toBe(true);
        },
      ),
    );
  });

  it('shows every generation when superseded tokens are asked for, which are never the newest', () => {
    expect(readListing(new URLSearchParams('status=Superseded')).hasEveryGeneration).toBe(true);
    expect(conditionsOf(readListing(new URLSearchParams('status=Superseded')))).toEqual({
      status: 'Superseded',
    });
  });

  it('changes one part and keeps the others, and forgets an order that is the usual one', () => {
    const search = addressAfter({ sort: 'expires', order: 'desc' }, 'text=a&status=Active');
    expect(search.toString()).toBe('text=a&status=Active&sort=expires&order=desc');
    expect(addressAfter({ sort: 'expires', order: 'asc' }, search.toString()).toString()).toBe(
      'text=a&status=Active&sort=expires',
    );
    expect(addressAfter({ sort: 'created', order: 'desc' }, search.toString()).toString()).toBe(
      'text=a&status=Active',
    );
  });
});
