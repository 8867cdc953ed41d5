import { useState } from 'react';

import styles from './found-count.module.css';
import { isFiltered, type Listing } from './listing.ts';

/** How many rows the list has. A screen reader is told after each search, not of every token that comes. */
export function FoundCount({ listing, total }: { listing: Listing; total: number }) {
  const [said, setSaid] = useState({ listing, total });
  if (said.listing !== listing) setSaid({ listing, total });
  return (
    <>
      <p className={styles['count']}>{countWords(listing, total)}</p>
      <p role="status" className={styles['hidden']}>
        {isFiltered(said.listing) ? countWords(said.listing, said.total) : ''}
      </p>
    </>
  );
}

function countWords({ hasEveryGeneration }: Listing, total: number): string {
  if (hasEveryGeneration) return `${total.toLocaleString()} ${total === 1 ? 'token' : 'tokens'}`;
  return `${total.toLocaleString()} ${total === 1 ? 'family' : 'families'}`;
}
