import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useReducer,
  useRef,
  useState,
} from 'react';

import { useRootSize } from '../use-media.ts';
import styles from './list.module.css';

/** What a list of rows can be told by whoever shows it. */
export interface RowsHandle {
  readonly scrollToRow: (index: number) => void;
  /** Gives the focus to a row, also one that is not in sight. */
  readonly focusRow: (index: number) => void;
}

/**
 * Rows of which only those in sight are drawn, however many there are.
 *
 * All rows but one are equally high. One row can have the focus: the arrow keys, PageUp, PageDown, Home and End move it, Enter
 * opens it. `head` stays in sight above them. As a `table`, `renderRow` answers cells (`role="cell"`), and `head` is a row.
 */
export function VirtualRows({
  ref,
  role = 'list',
  label,
  of,
  count,
  rowHeight,
  tall,
  head,
  renderRow,
  rowLabel,
  onOpen,
  onTop,
}: {
  ref?: Ref<RowsHandle>;
  role?: 'list' | 'table';
  label: string;
  /** Says which list it is: another one begins at its beginning, wherever one was before. */
  of?: unknown;
  count: number;
  /** In pixels at a root size of 16. */
  rowHeight: number;
  /** One row that is higher than the others. */
  tall?: { readonly index: number; readonly height: number } | undefined;
  head?: ReactNode;
  renderRow: (index: number) => ReactNode;
  /** The row's name for a screen reader, where its text does not say it. */
  rowLabel?: (index: number) => string;
  onOpen?: (index: number) => void;
  /** Told when the first row comes into sight or leaves it. */
  onTop?: (isAtTop: boolean) => void;
}) {
  const boxRef = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  const [, drawAgain] = useReducer((drawn: number) => drawn + 1, 0);
  const rootSize = useRootSize();
  const rows = useVirtualizer({
    count,
    getScrollElement: () => boxRef.current,
    estimateSize: (index) => ((index === tall?.index ? tall.height : rowHeight) * rootSize) / 16,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const current = Math.min(active, Math.max(0, count - 1));

  useEffect(() => rows.measure(), [rows, rowHeight, rootSize, tall?.index, tall?.height]);
  const beginAgain = useEffectEvent(() => rows.scrollToIndex(0));
  useEffect(() => beginAgain(), [of]);
  // After each drawing: the row that is to have the focus may only now be there.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = boxRef.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });

  function focusRow(index: number): void {
    const next = Math.max(0, Math.min(count - 1, index));
    wanted.current = next;
    setActive(next);
    drawAgain(); // the row that would have the focus anyway may not have it
    rows.scrollToIndex(next, { align: 'auto' });
  }
  useImperativeHandle(ref, () => ({ scrollToRow: (index) => rows.scrollToIndex(index), focusRow }));

  function move(event: KeyboardEvent<HTMLElement>): void {
    if (event.target instanceof HTMLElement && event.target.dataset['index'] === undefined) return;
    const inSight = Math.max(1, Math.floor((boxRef.current?.clientHeight ?? 0) / rowHeight) - 1);
    const target = targetOf(event.key, { current, inSight, count });
    if (target !== undefined) {
      event.preventDefault();
      focusRow(target);
    } else if (event.key === 'Enter' && onOpen !== undefined) {
      event.preventDefault();
      onOpen(current);
    }
  }

  return (
    <div
      ref={boxRef}
      className={styles['rows']}
      role={role}
      aria-label={label}
      aria-rowcount={role === 'table' ? count + (head === undefined ? 0 : 1) : undefined}
      onKeyDown={move}
      onScroll={onTop && (({ currentTarget }) => onTop(currentTarget.scrollTop < rowHeight))}
    >
      {head === undefined ? null : (
        <div className={styles['head']} role={role === 'table' ? 'row' : undefined}>
          {head}
        </div>
      )}
      <div className={styles['all']} role="presentation" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, size }) => (
          <div
            key={index}
            data-index={index}
            className={styles['place']}
            role={role === 'table' ? 'row' : 'listitem'}
            aria-rowindex={role === 'table' ? index + (head === undefined ? 1 : 2) : undefined}
            aria-setsize={role === 'list' ? count : undefined}
            aria-posinset={role === 'list' ? index + 1 : undefined}
            aria-label={rowLabel?.(index)}
            tabIndex={index === current ? 0 : -1}
            style={{ height: size, transform: `translateY(${start}px)` }}
            onFocus={() => setActive(index)}
            onClick={onOpen && ((event) => isOnControl(event.target) || onOpen(index))}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function targetOf(
  key: string,
  { current, inSight, count }: { current: number; inSight: number; count: number },
): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return current + 1;
    case 'ArrowUp':
      return current - 1;
    case 'PageDown':
      return current + inSight;
    case 'PageUp':
      return current - inSight;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** A press on a button or a link inside the row is that one's own. */
function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, select, label') !== null;
}
