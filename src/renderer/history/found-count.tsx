import { useState } from 'react';

import styles from './found-count.module.css';
import { isFiltered } from './history-filters.ts';
import type { MatchedRows } from './matched-rows.ts';

/** How many events the list has, of how many. A screen reader is told after each search, not of every new event. */
export function FoundCount({ rows }: { rows: MatchedRows }) {
  const [said, setSaid] = useState(rows);
  if (said.filters !== rows.filters) setSaid(rows);
  return (
    <>
      <p className={styles['count']}>{countWords(rows)}</p>
      <p role="status" className={styles['hidden']}>
        {isFiltered(said.filters) ? countWords(said) : ''}
      </p>
    </>
  );
}

function countWords({ filters, count, lastSeq }: MatchedRows): string {
  const all = `${lastSeq.toLocaleString()} ${lastSeq === 1 ? 'event' : 'events'}`;
  return isFiltered(filters) ? `${count.toLocaleString()} of ${all}` : all;
}
