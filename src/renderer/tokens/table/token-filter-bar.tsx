import { type Ref, useState } from 'react';
import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { type TokenFacets, tokenSorts } from '../../../contract/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../../contract/token.ts';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { setSearch } from '../../kit/navigation.ts';
import selectStyles from '../../kit/select.module.css';
import { Toolbar } from '../../kit/toolbar.tsx';
import { StatusShape } from '../status-shape.tsx';
import { statusMeanings } from '../../../text/credentials.ts';
import { tokenListText as text } from '../../../text/token-list-text.ts';
import styles from './filter-bar.module.css';
import { isFiltered, type Listing, searchFor, usualOrder } from './listing.ts';

const generations = [
  { value: 'newest', label: text.generations.newest },
  { value: 'all', label: text.generations.all },
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
    <Toolbar
      search={{
        what: text.search,
        placeholder: text.searchHint,
        value: listing.text,
        maxLength: 200,
        onChange: (sought) => change({ text: sought }),
        onDown,
      }}
      filters={
        <>
          <div className={styles['chips']}>
            <StatusChips
              chosen={listing.statuses}
              counts={
                listing.hasEveryGeneration ? facets.statuses : { ...facets.statuses, Superseded: undefined }
              }
              onChange={(statuses) => change({ statuses })}
            />
          </div>
          <Choice
            label={text.generations.label}
            options={generations}
            value={listing.hasEveryGeneration ? 'all' : 'newest'}
            onChange={(which) =>
              change({
                hasEveryGeneration: which === 'all',
                statuses: listing.statuses.filter((one) => which === 'all' || one !== 'Superseded'),
              })
            }
          />
          <CategorySelect
            category={listing.category}
            categories={facets.categories}
            onChange={(category) => change({ category })}
          />
          <SortSelect listing={listing} onChange={change} />
          <FoundCount listing={listing} total={total} />
        </>
      }
    >
      <Button rank="main" ref={issueRef} onPress={onIssue}>
        {text.issue}
      </Button>
    </Toolbar>
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
      className={[selectStyles['select'], styles['select']].join(' ')}
      aria-label={text.category}
      value={category ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{text.everyCategory}</option>
      {isListed ? null : <option value={category}>{text.inCategory(category, 0)}</option>}
      {categories.map((one) => (
        <option key={one.category} value={one.category}>
          {text.inCategory(one.category, one.tokens)}
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
    <div className={styles['count']}>
      <Text tone="soft" size="medium" isTabular>
        {text.count(total)}
      </Text>
      <Text role="status" isUnseen>
        {isFiltered(said.listing) ? text.count(said.total) : ''}
      </Text>
    </div>
  );
}

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
      className={[selectStyles['select'], styles['select']].join(' ')}
      aria-label={text.order}
      value={`${sort} ${order}`}
      onChange={({ target }) => choose(target.value)}
    >
      {tokenSorts.flatMap((one) =>
        [usualOrder(one), usualOrder(one) === 'asc' ? ('desc' as const) : ('asc' as const)].map((way) => (
          <option key={`${one} ${way}`} value={`${one} ${way}`}>
            {text.orders[one][way]}
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
    <Row role="group" aria-label={text.status} gap={2} wraps>
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
            title={text.statusMeaning(status, statusMeanings[status])}
            onClick={() =>
              onChange(tokenStatuses.filter((one) => (one === status ? !isChosen : chosen.includes(one))))
            }
          >
            <StatusShape status={status} />
            {status}
            {count === undefined ? null : (
              <Text as="span" tone="soft" weight="regular" isTabular>
                {count.toLocaleString()}
              </Text>
            )}
          </button>
        );
      })}
    </Row>
  );
}
