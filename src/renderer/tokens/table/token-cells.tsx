import { memo, useRef } from 'react';
import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type { TokenView } from '../../../contract/token/token.ts';
import { Icon } from '../../kit/icon.tsx';
import { Countdown, Moment } from '../../kit/moment.tsx';
import { isLive, StatusShape } from '../status-shape.tsx';
import { countWords } from '../../../text/count.ts';
import { tokenNameText } from '../../../text/credential/credentials.ts';
import { tokenListText as text } from '../../../text/token/token-list-text.ts';
import { TokenName } from '../token-name.tsx';
import styles from './table.module.css';
import { type Listing, useTokenRow } from './listing.ts';
import listStyles from '../../kit/list/list.module.css';

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
      <div role="cell" className={`${styles['columns']} ${listStyles['opens']}`} data-outline="true">
        <span className={listStyles['outline']} data-appears="late" />
        <span className={listStyles['outline']} data-appears="late" />
        <span className={listStyles['outline']} data-appears="late" />
        <Text as="span" isUnseen>
          {text.loading}
        </Text>
      </div>
    );
  }
  const { name, category, status, validity_days, generation, successor_id, kept_fresh_by, changed_at } =
    token;
  return (
    <div className={`${styles['columns']} ${listStyles['opens']}`}>
      <Row role="cell" gap={2} align="center">
        <StatusShape status={status} />
        {status}
      </Row>
      <Text as="div" role="cell" weight="strong" isCut title={tokenNameText(token)}>
        <TokenName token={token} />
      </Text>
      <Text as="div" role="cell" tone="soft" isCut title={category}>
        {category}
      </Text>
      <Text as="div" role="cell" isCut>
        {countWords(validity_days, 'day')}
      </Text>
      <Text as="div" role="cell" isCut isTabular>
        <Expiry token={token} />
      </Text>
      <Text as="div" role="cell" isCut isTabular>
        {generation}
      </Text>
      <Text as="div" role="cell" isCut title={kept_fresh_by ?? undefined}>
        {kept_fresh_by === null || successor_id !== null ? null : <RotatedBy name={kept_fresh_by} />}
      </Text>
      <Text as="div" role="cell" tone="soft" isCut isTabular>
        {changed_at === null ? null : <Moment at={changed_at} />}
      </Text>
      <div role="cell">
        <MoreButton name={name} onPress={(anchor) => onMenu(index, anchor)} />
      </div>
    </div>
  );
});

/** How long a token is still valid, or when it would have expired. */
export function Expiry({ token: { status, expires_at } }: { token: TokenView }) {
  if (isLive(status)) return <Countdown to={expires_at} />;
  return (
    <Text as="span" tone="soft">
      <Moment at={expires_at} />
    </Text>
  );
}

/** The credential that rotates it. */
export function RotatedBy({ name }: { name: string }) {
  return (
    <>
      <Text as="span" tone="good">
        <Icon name="rotate" />
      </Text>{' '}
      {name}
    </>
  );
}

/**
 * Opens the menu of a row with the mouse.
 *
 * The keyboard has the row itself for that (the menu key, or Shift and F10), and Enter for the page that has it all: a
 * stop at each row's button would be one too many.
 */
export function MoreButton({ name, onPress }: { name: string; onPress: (anchor: HTMLElement) => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={ref}
      type="button"
      tabIndex={-1}
      className={styles['more']}
      aria-haspopup="menu"
      aria-label={text.actions(name)}
      onClick={() => ref.current !== null && onPress(ref.current)}
    >
      <svg className={styles['dots']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="3" cy="8" r="1.4" />
        <circle cx="8" cy="8" r="1.4" />
        <circle cx="13" cy="8" r="1.4" />
      </svg>
    </button>
  );
}
