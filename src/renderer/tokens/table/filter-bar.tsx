import { type Ref, useState } from 'react';
import { type TokenFacets, tokenSorts } from '../../../contract/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../../contract/token.ts';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { setSearch } from '../../kit/navigation.ts';
import { SearchField } from '../../kit/search-field.tsx';
import { StatusShape } from '../status-shape.tsx';
import { statusMeanings } from '../../../text/credentials.ts';
import styles from './filter-bar.module.css';
import { isFiltered, type Listing, searchFor, usualOrder } from './listing.ts';

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

/** Which category is shown: those in use, the most used first, with how many each would show. */
function CategorySelect({
  category,
  categories,
  onChange,
}: {
  category: string | undefined;
  categories: TokenFacets['categories'];
  onChange: (category: string | undefined) => void;
}) {
  const isListed = category === undefined || categories.some((one) => one.category === category);
  return (
    <select
      className={styles['select']}
      aria-label="Category"
      value={category ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">Every category</option>
      {isListed ? null : <option value={category}>{category} (0)</option>}
      {categories.map((one) => (
        <option key={one.category} value={one.category}>
          {one.category} ({one.tokens.toLocaleString()})
        </option>
      ))}
    </select>
  );
}

/** How many rows the list has. A screen reader is told after each search, not of every token that comes. */
function FoundCount({ listing, total }: { listing: Listing; total: number }) {
  const [said, setSaid] = useState({ listing, total });
  if (said.listing !== listing) setSaid({ listing, total });
  return (
    <>
      <p className={styles['count']}>{countWords(listing, total)}</p>
      <p role="status" className={styles['hiddenCount']}>
        {isFiltered(said.listing) ? countWords(said.listing, said.total) : ''}
      </p>
    </>
  );
}

function countWords({ hasEveryGeneration }: Listing, total: number): string {
  if (hasEveryGeneration) return `${total.toLocaleString()} ${total === 1 ? 'token' : 'tokens'}`;
  return `${total.toLocaleString()} ${total === 1 ? 'family' : 'families'}`;
}

const names: Record<Listing['sort'], Record<Listing['order'], string>> = {
  created: { desc: 'Newest first', asc: 'Oldest first' },
  changed: { desc: 'Changed last first', asc: 'Longest unchanged first' },
  expires: { asc: 'Expires first', desc: 'Expires last' },
  name: { asc: 'Name, A to Z', desc: 'Name, Z to A' },
  status: { asc: 'Status, Active first', desc: 'Status, Blacklisted first' },
  category: { asc: 'Category, A to Z', desc: 'Category, Z to A' },
};

/** The order of the rows. The heads of the columns do the same where there are columns. */
function SortSelect({
  listing: { sort, order },
  onChange,
}: {
  listing: Listing;
  onChange: (changes: Pick<Listing, 'sort' | 'order'>) => void;
}) {
  function choose(value: string): void {
    const one = tokenSorts.find((name) => value.startsWith(`${name} `)) ?? sort;
    onChange({ sort: one, order: value.endsWith('desc') ? 'desc' : 'asc' });
  }
  return (
    <select
      className={styles['select']}
      aria-label="Order"
      value={`${sort} ${order}`}
      onChange={({ target }) => choose(target.value)}
    >
      {tokenSorts.flatMap((one) =>
        [usualOrder(one), usualOrder(one) === 'asc' ? ('desc' as const) : ('asc' as const)].map((way) => (
          <option key={`${one} ${way}`} value={`${one} ${way}`}>
            {names[one][way]}
          </option>
        )),
      )}
    </select>
  );
}

/** One button a status, with how many it would show; none pressed is all of them. */
function StatusChips({
  chosen,
  counts,
  onChange,
}: {
  chosen: readonly TokenStatus[];
  /** Undefined where it is not known. */
  counts: Readonly<Partial<Record<TokenStatus, number | undefined>>>;
  onChange: (chosen: readonly TokenStatus[]) => void;
}) {
  return (
    <div role="group" aria-label="Status" className={styles['chips']}>
      {tokenStatuses.map((status) => {
        const isChosen = chosen.includes(status);
        const count = counts[status];
        return (
          <button
            key={status}
            type="button"
            className={styles['chip']}
            aria-pressed={isChosen}
            data-empty={count === 0}
            title={`${status}: ${statusMeanings[status]}`}
            onClick={() =>
              onChange(tokenStatuses.filter((one) => (one === status ? !isChosen : chosen.includes(one))))
            }
          >
            <StatusShape status={status} />
            {status}
            {count === undefined ? null : (
              <span className={styles['chipCount']}>{count.toLocaleString()}</span>
            )}
          </button>
        );
      })}
    </div>
  );
}
