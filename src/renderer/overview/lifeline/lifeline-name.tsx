import { memo, type MouseEvent } from 'react';

import type { LifelineRow } from '../../../contract/lifeline.ts';
import { goTo } from '../../kit/navigation.ts';
import styles from './lifeline-name.module.css';
import { toneOf } from './row-looks.ts';
import { RowSign } from './row-sign.tsx';
import { pathOf, rowSentence, standingWords } from './row-words.ts';

/** The name of a row and how it stands: a link to its own page, which says in words all that its drawing shows. */
export const LifelineName = memo(function LifelineName({
  row,
  nowMs,
  isReachable,
  helpId,
  onReach,
}: {
  row: LifelineRow;
  nowMs: number;
  /** Whether Tab leads to it: to one of all rows. */
  isReachable: boolean;
  helpId: string;
  onReach: (id: string) => void;
}) {
  /** As `kit/link.tsx` does; that one is no stop in a row of rows. */
  function open(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(pathOf(row));
  }

  return (
    <a
      href={pathOf(row)}
      className={styles['name']}
      aria-label={rowSentence(row, nowMs)}
      aria-describedby={helpId}
      tabIndex={isReachable ? 0 : -1}
      onFocus={() => onReach(row.id)}
      onClick={open}
    >
      <RowSign row={row} />
      <span className={styles['words']}>
        <span className={styles['title']} title={row.name}>
          {row.name}
        </span>{' '}
        <span className={styles['standing']} data-tone={toneOf(row)}>
          {standingWords(row, nowMs)}
        </span>
      </span>
    </a>
  );
});
