import { tokenSorts } from '../../../contract/token-list.ts';
import styles from './filter-bar.module.css';
import { type Listing, usualOrder } from './listing.ts';

const names: Record<Listing['sort'], Record<Listing['order'], string>> = {
  created: { desc: 'Newest first', asc: 'Oldest first' },
  changed: { desc: 'Changed last first', asc: 'Longest unchanged first' },
  expires: { asc: 'Expires first', desc: 'Expires last' },
  name: { asc: 'Name, A to Z', desc: 'Name, Z to A' },
  status: { asc: 'Status, Active first', desc: 'Status, Blacklisted first' },
  category: { asc: 'Category, A to Z', desc: 'Category, Z to A' },
};

/** The order of the rows. The heads of the columns do the same where there are columns. */
export function SortSelect({
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
