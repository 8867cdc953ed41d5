import { type KeyboardEvent, type Ref, useRef } from 'react';

import type { TokenFacets } from '../../../contract/token-list.ts';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Icon } from '../../kit/icon.tsx';
import input from '../../kit/input.module.css';
import { useShortcut } from '../../kit/keys/use-shortcut.ts';
import { setSearch } from '../../kit/navigation.ts';
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
  const fieldRef = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search the tokens', () => fieldRef.current?.select());
  const change = (changes: Partial<Listing>): void => setSearch(searchFor(changes));

  function press(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    onDown();
  }

  return (
    <search className={styles['bar']}>
      <div className={styles['field']}>
        <span className={styles['glass']}>
          <Icon name="search" />
        </span>
        <input
          ref={fieldRef}
          type="search"
          className={[input['input'], styles['text']].join(' ')}
          aria-label="Search the tokens"
          aria-keyshortcuts="/"
          placeholder="Name, category, id, reason …"
          value={listing.text}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => change({ text: target.value })}
          onKeyDown={press}
        />
        <kbd className={styles['key']} aria-hidden="true">
          /
        </kbd>
      </div>
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
