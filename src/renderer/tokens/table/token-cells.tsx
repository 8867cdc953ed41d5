import { memo } from 'react';

import { Icon } from '../../kit/icon.tsx';
import { Moment } from '../../kit/moment.tsx';
import { StatusShape } from '../status-shape.tsx';
import { daysWords } from '../status-words.ts';
import styles from './columns.module.css';
import { Expiry } from './expiry.tsx';
import type { Listing } from './listing.ts';
import { useTokenRow } from './listing-resources.ts';
import { MoreButton } from './more-button.tsx';

/** What a row is drawn from. */
export interface TokenRowProps {
  listing: Listing;
  index: number;
  /** Told for which row the menu is to open, and beside what. */
  onMenu: (index: number, anchor: HTMLElement) => void;
}

/** A token as the cells of a row. Until it is known, their outline. */
export const TokenCells = memo(function TokenCells({ listing, index, onMenu }: TokenRowProps) {
  const token = useTokenRow(listing, index);
  if (token === undefined) {
    return (
      <div role="cell" className={styles['columns']} data-part="row" data-outline="true">
        <span className={styles['outline']} />
        <span className={styles['outline']} />
        <span className={styles['outline']} />
        <span className={styles['hidden']}>Reading this token …</span>
      </div>
    );
  }
  const { name, category, status, validity_days, generation, successor_id, kept_fresh_by, changed_at } =
    token;
  return (
    <div className={styles['columns']} data-part="row">
      <div role="cell" className={styles['status']}>
        <StatusShape status={status} />
        {status}
      </div>
      <div role="cell" className={[styles['cell'], styles['name']].join(' ')} title={name}>
        {name}
      </div>
      <div role="cell" className={[styles['cell'], styles['soft']].join(' ')} title={category}>
        {category}
      </div>
      <div role="cell" className={styles['cell']}>
        {daysWords(validity_days)}
      </div>
      <div role="cell" className={[styles['cell'], styles['number']].join(' ')}>
        <Expiry token={token} />
      </div>
      <div role="cell" className={[styles['cell'], styles['number']].join(' ')}>
        {generation}
      </div>
      <div
        role="cell"
        className={[styles['cell'], styles['kept']].join(' ')}
        title={kept_fresh_by ?? undefined}
      >
        {kept_fresh_by === null || successor_id !== null ? null : (
          <>
            <Icon name="rotate" />
            <span>{kept_fresh_by}</span>
          </>
        )}
      </div>
      <div role="cell" className={[styles['cell'], styles['soft'], styles['number']].join(' ')}>
        {changed_at === null ? null : <Moment at={changed_at} />}
      </div>
      <div role="cell">
        <MoreButton name={name} onPress={(anchor) => onMenu(index, anchor)} />
      </div>
    </div>
  );
});
