import type { TokenSort } from '../../../contract/token-list.ts';
import styles from './columns.module.css';
import { type Listing, usualOrder, usualSort } from './listing.ts';
import { SortSign } from './sort-sign.tsx';

const columns: readonly { readonly name: string; readonly sort?: TokenSort }[] = [
  { name: 'Status', sort: 'status' },
  { name: 'Name', sort: 'name' },
  { name: 'Category', sort: 'category' },
  { name: 'Valid for' },
  { name: 'Expires', sort: 'expires' },
  { name: 'Gen.' },
  { name: 'Kept fresh by' },
  { name: 'Last change', sort: 'changed' },
];

/** The heads of the columns. Pressed once more they turn the order, and a third time give the usual one back. */
export function ColumnHeads({
  listing: { sort: present, order },
  onSort,
}: {
  listing: Listing;
  onSort: (by: Pick<Listing, 'sort' | 'order'>) => void;
}) {
  function press(sort: TokenSort): void {
    if (sort !== present) onSort({ sort, order: usualOrder(sort) });
    else if (order === usualOrder(sort)) onSort({ sort, order: order === 'asc' ? 'desc' : 'asc' });
    else onSort({ sort: usualSort, order: usualOrder(usualSort) });
  }
  return (
    <div className={styles['columns']} data-part="head">
      {columns.map(({ name, sort }) => (
        <div
          key={name}
          role="columnheader"
          className={styles['head']}
          aria-sort={sort === present ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
        >
          {sort === undefined ? (
            name
          ) : (
            <button type="button" className={styles['sort']} onClick={() => press(sort)}>
              {name}
              <SortSign order={sort === present ? order : undefined} />
            </button>
          )}
        </div>
      ))}
      <div role="columnheader" className={styles['head']}>
        <span className={styles['hidden']}>Actions</span>
      </div>
    </div>
  );
}
