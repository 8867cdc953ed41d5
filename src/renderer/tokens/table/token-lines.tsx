import { memo } from 'react';
import { Row } from '../../kit/layout.tsx';
import { tokenNameText } from '../../../text/credentials.ts';
import { tokenListText as text } from '../../../text/token-list.ts';
import { Text } from '../../kit/text.tsx';
import { StatusShape } from '../status-shape.tsx';
import { TokenName } from '../token-name.tsx';
import { useTokenRow } from './listing.ts';
import { Expiry, MoreButton, RotatedBy, type TokenRowProps } from './token-cells.tsx';
import styles from './table.module.css';

/** A token in two lines, where there is no room for columns. */
export const TokenLines = memo(function TokenLines({ listing, index, onMenu }: TokenRowProps) {
  const token = useTokenRow(listing, index);
  if (token === undefined) {
    return (
      <div className={styles['lines']} data-outline="true">
        <span />
        <span className={styles['outline']} data-appears="late" />
        <Text as="span" isUnseen>
          {text.loading}
        </Text>
      </div>
    );
  }
  const { name, category, status, generation, successor_id, kept_fresh_by } = token;
  return (
    <div className={styles['lines']}>
      <StatusShape status={status} />
      <div>
        <Row as="p" gap={3} align="baseline" justify="between">
          <Text as="span" weight="strong" isCut title={tokenNameText(token)}>
            <TokenName token={token} />
          </Text>
          <Text as="span" size="small" isTabular isOneLine>
            <Expiry token={token} />
          </Text>
        </Row>
        <Text tone="soft" size="small" isCut>
          {status} · {text.generation(generation)}
          {kept_fresh_by === null || successor_id !== null ? null : (
            <>
              {' · '}
              <RotatedBy name={kept_fresh_by} />
            </>
          )}
          {' · '}
          {category}
        </Text>
      </div>
      <MoreButton name={name} onPress={(anchor) => onMenu(index, anchor)} />
    </div>
  );
});
