import { type Ref, type UIEvent, useEffect, useEffectEvent, useState } from 'react';

import { type RowsHandle, VirtualRows } from '../kit/virtual-rows.tsx';
import { dayWords } from './day-words.ts';
import type { EventReader } from './event-reader.ts';
import styles from './history-list.module.css';
import { HistoryRow } from './history-row.tsx';
import type { MatchedRows } from './matched-rows.ts';
import { useKnownEvent } from './use-event.ts';

/** In pixels at a root size of 16: two lines and the room around them. */
const rowHeight = 56;
/** More rows than this are more pixels than every browser can scroll. */
const maxRows = 200_000;

/** The rows of a search. The day of the topmost one stays in sight above them. */
export function HistoryList({
  ref,
  reader,
  rows,
  onOpen,
  onTop,
}: {
  ref: Ref<RowsHandle>;
  reader: EventReader;
  rows: MatchedRows;
  onOpen: (seq: number) => void;
  onTop: (isAtTop: boolean) => void;
}) {
  const [top, setTop] = useState(0);
  const count = Math.min(rows.count, maxRows);
  const begin = useEffectEvent(() => onTop(true));
  useEffect(() => begin(), []);

  function follow({ target }: UIEvent): void {
    if (!(target instanceof HTMLElement) || count === 0) return;
    const ofOne = target.scrollHeight / count;
    setTop(Math.min(count - 1, Math.floor(target.scrollTop / ofOne)));
  }

  return (
    <>
      <div className={styles['list']} onScrollCapture={follow}>
        <VirtualRows
          ref={ref}
          label="Events, newest first"
          count={count}
          rowHeight={rowHeight}
          head={<TopDay reader={reader} seq={rows.seqAt(Math.min(top, count - 1))} />}
          renderRow={(row) => <HistoryRow reader={reader} rows={rows} row={row} onOpen={onOpen} />}
          onOpen={(row) => onOpen(rows.seqAt(row))}
          onTop={onTop}
        />
      </div>
      {count < rows.count ? (
        <p className={styles['rest']}>
          These are the newest {count.toLocaleString()} of {rows.count.toLocaleString()}. Filter them to see
          older ones, or export them.
        </p>
      ) : null}
    </>
  );
}

function TopDay({ reader, seq }: { reader: EventReader; seq: number }) {
  const known = useKnownEvent(reader, seq);
  return <p className={styles['day']}>{known === undefined ? ' ' : dayWords(known.event.at, new Date())}</p>;
}
