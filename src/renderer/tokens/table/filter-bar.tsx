import type { Ref } from 'react';

import type { TokenFacets } from '../../../contract/token-list.ts';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { setSearch } from '../../kit/navigation.ts';
import { SearchField } from '../../kit/search-field.tsx';
import { CategorySelect } from './category-select.tsx';
import styles from './filter-bar.module.css';
import { FoundCount } from './found-count.tsx';
import { type Listing, searchFor } from './listing.ts';
import { SortSelect } from './sort-select.tsx';
import { StatusChips } from './status-chips.tsx';

const generations = [
  { value: 'newest', label: 'Newest only' },
  { value: 'all', label: 'Every generation' },
] as const;

/** Which tokens are shown, all kept in the window's address, and the way to a new one. */
export function FilterBar({
  listing,
  facets,
  total,
  issueRef,
  onIssue,
  onDown,
}: {
  listing: Listing;
  facets: TokenFacets;
  /** How many meet every condition. */
  total: number;
  issueRef: Ref<HTMLButtonElement>;
  onIssue: () => void;
  /** Told when the keyboard leads down from the field, to what was found. */
  onDown: () => void;
}) {
  const change = (changes: Partial<Listing>): void => setSearch(searchFor(changes));

  return (
    <search className={styles['bar']}>
      <SearchField
        what="the tokens"
        placeholder="Name, category, id, reason …"
        value={listing.text}
        maxLength={200}
        onChange={(text) => change({ text })}
        onDown={onDown}
      />
      <div className={styles['tools']}>
        <Button rank="main" ref={issueRef} onPress={onIssue}>
          Issue a token…
        </Button>
      </div>
      <div className={styles['filters']}>
        <StatusChips
          chosen={listing.statuses}
          counts={
            listing.hasEveryGeneration ? facets.statuses : { ...facets.statuses, Superseded: undefined }
          }
          onChange={(statuses) => change({ statuses })}
        />
      </div>
      <div className={styles['filters']}>
        <fieldset className={styles['generations']}>
          <legend className={styles['hidden']}>Generations of each family</legend>
          <Choice
            options={generations}
            value={listing.hasEveryGeneration ? 'all' : 'newest'}
            onChange={(which) =>
              change({
                hasEveryGeneration: which === 'all',
                statuses: listing.statuses.filter((one) => which === 'all' || one !== 'Superseded'),
              })
            }
          />
        </fieldset>
        <CategorySelect
          category={listing.category}
          categories={facets.categories}
          onChange={(category) => change({ category })}
        />
        <SortSelect listing={listing} onChange={change} />
        <FoundCount listing={listing} total={total} />
      </div>
    </search>
  );
}
