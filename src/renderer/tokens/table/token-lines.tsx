import { memo } from 'react';
import { Row } from '../../kit/layout.tsx';
import { tokenListText as text } from '../../../text/token-list.ts';
import { Icon } from '../../kit/icon.tsx';
import { StatusShape } from '../status-shape.tsx';
import columns from './columns.module.css';
import { useTokenRow } from './listing.ts';
import { Expiry, MoreButton, type TokenRowProps } from './token-cells.tsx';
import styles from './token-lines.module.css';

/** A token in two lines, where there is no room for columns. */
export const TokenLines = memo(function TokenLines({ listing, index, onMenu }: TokenRowProps) {
  const token = useTokenRow(listing, index);
  if (token === undefined) {
    return (
      <div className={styles['row']} data-outline="true">
        <span />
        <span className={columns['outline']} />
        <span className={columns['hidden']}>{text.loading}</span>
      </div>
    );
  }
  const { name, category, status, generation, successor_id, kept_fresh_by } = token;
  return (
    <div className={styles['row']}>
      <StatusShape status={status} />
      <div className={styles['words']}>
        <Row as="p" gap={3} align="baseline" justify="between">
          <span className={styles['name']} title={name}>
            {name}
          </span>
          <span className={styles['end']}>
            <Expiry token={token} />
          </span>
        </Row>
        <p className={styles['second']}>
          {status} · {text.generation(generation)}
          {kept_fresh_by === null || successor_id !== null ? null : (
            <span className={styles['kept']}>
              {' · '}
              <Icon name="rotate" /> {kept_fresh_by}
            </span>
          )}
          {' · '}
          {category}
        </p>
      </div>
      <MoreButton name={name} onPress={(anchor) => onMenu(index, anchor)} />
    </div>
  );
});
