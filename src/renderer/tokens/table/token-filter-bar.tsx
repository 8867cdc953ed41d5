import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { type TokenFacets, tokenSorts } from '../../../contract/token/token-list.ts';
import { type TokenStatus, tokenStatuses } from '../../../contract/token/token.ts';
import { Choice } from '../../kit/choice.tsx';
import { setSearch } from '../../kit/navigation.ts';
import selectStyles from '../../kit/select.module.css';
import { FilterSelect } from '../../kit/list/list-page.tsx';
import { StatusShape } from '../status-shape.tsx';
import { statusMeanings } from '../../../text/credential/credentials.ts';
import { tokenListText as text } from '../../../text/token/token-list-text.ts';
import fieldStyles from '../../kit/field.module.css';
import { type Listing, searchFor, usualOrder } from './listing.ts';

const generations = [
  { value: 'newest', label: text.generations.newest },
  { value: 'all', label: text.generations.all },
] as const;

/** Which tokens are shown, all kept in the window's address. */
export function TokenFilters({
  listing,
  facets,
  isFew,
  hasPrevious,
}: {
  listing: Listing;
  facets: TokenFacets;
  isFew: boolean;
  /** Whether there may be tokens that were replaced. */
  hasPrevious: boolean;
}) {
  const change = (changes: Partial<Listing>): void => setSearch(searchFor(changes));
  return (
    <>
      {isFew ? null : (
        <StatusChips
          chosen={listing.statuses}
          counts={
            listing.hasEveryGeneration ? facets.statuses : { ...facets.statuses, Superseded: undefined }
          }
          onChange={(statuses) => change({ statuses })}
        />
      )}
      {isFew && !hasPrevious ? null : (
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
      )}
      {isFew ? null : (
        <>
          <CategorySelect category={listing.category} categories={facets.categories} />
          <SortSelect listing={listing} onChange={change} />
        </>
      )}
    </>
  );
}

/** Which category is shown: those in use, the most used first, with how many each would show. */
function CategorySelect({
  category,
  categories,
}: {
  category: string | undefined;
  categories: TokenFacets['categories'];
}) {
  const isListed = category === undefined || categories.some((one) => one.category === category);
  const shown = isListed ? categories : [{ category, tokens: 0 }, ...categories];
  return (
    <FilterSelect
      name="category"
      label={text.category}
      all={text.everyCategory}
      options={shown.map((one) => ({
        value: one.category,
        label: text.inCategory(one.category, one.tokens),
      }))}
    />
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
      className={selectStyles['select']}
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
            className={fieldStyles['optionLabel']}
            aria-pressed={isChosen}
            title={text.statusMeaning(status, statusMeanings[status])}
            onClick={() =>
              onChange(tokenStatuses.filter((one) => (one === status ? !isChosen : chosen.includes(one))))
            }
          >
            <Row as="span" gap={2} align="center">
              <StatusShape status={status} />
              <Text as="span" tone={count === 0 && !isChosen ? 'soft' : undefined}>
                {status}
              </Text>
              {count === undefined ? null : (
                <Text as="span" tone="soft" weight="regular" isTabular>
                  {count.toLocaleString()}
                </Text>
              )}
            </Row>
          </button>
        );
      })}
    </Row>
  );
}
