import type { ComponentProps, ReactNode } from 'react';
import { Row } from './layout.tsx';
import { SearchField } from './list/search-field.tsx';
import styles from './toolbar.module.css';

/** What stands above a list that is searched: the field, how many were found, the buttons, and below them the filters. */
export function Toolbar({
  search,
  count,
  filters,
  children,
}: {
  search: ComponentProps<typeof SearchField>;
  /** How many were found, read out when it changes. */
  count?: string;
  filters?: ReactNode;
  /** Buttons. */
  children: ReactNode;
}) {
  return (
    <search className={styles['bar']}>
      <div className={styles['search']}>
        <SearchField {...search} />
      </div>
      {count === undefined ? null : (
        <p className={styles['count']} role="status">
          {count}
        </p>
      )}
      <Row gap={2} wraps align="center">
        {children}
      </Row>
      {filters === undefined ? null : <div className={styles['filters']}>{filters}</div>}
    </search>
  );
}
