import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
} from 'react';

import type { LifelineRow } from '../../../contract/lifeline.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { Axis } from './axis.tsx';
import { Grid } from './grid.tsx';
import styles from './lifeline-picture.module.css';
import { LifelineRowView } from './lifeline-row.tsx';
import { PartTip } from './part-tip.tsx';
import { keysSentence, moveOf, type PictureMove } from './picture-keys.ts';
import { placeOf } from './row-parts.ts';
import { type Span, xOf } from './time-scale.ts';
import { useDragToPan } from './use-drag-to-pan.ts';
import { usePictureSize } from './use-picture-size.ts';
import { usePointedPart } from './use-pointed-part.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useTimeScroll } from './use-time-scroll.ts';

export interface PictureHandle {
  /** Brings now back to its place, a quarter of the way. */
  readonly goToNow: () => void;
}

/**
 * The rows in one box that scrolls both ways by itself: up and down through the rows, left and right through time.
 *
 * The browser's own scrolling is what makes it smooth: a row is drawn once for all its time, and only rows in sight are
 * there. One row can have the focus; what the keys do is in `picture-keys.ts`.
 */
export function LifelinePicture({
  ref,
  rows,
  span,
  nowMs,
}: {
  ref: Ref<PictureHandle>;
  rows: readonly LifelineRow[];
  span: Span;
  nowMs: number;
}) {
  const boxRef = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const { trackPx, namesPx, rowPx, headPx, unit } = usePictureSize(boxRef);
  const { scale, goToNow, pan, show, onScroll } = useTimeScroll(boxRef, { span, trackPx, nowMs });
  const { pointed, pointWithMouse, leaveWithMouse, step, hide } = usePointedPart(boxRef, {
    rows,
    scale,
    unit,
    namesPx,
    nowMs,
  });
  const drag = useDragToPan(boxRef);
  useImperativeHandle(ref, () => ({ goToNow }));

  // eslint-disable-next-line react-hooks/incompatible-library -- what it says of React's compiler, which is not used here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => boxRef.current,
    estimateSize: () => rowPx,
    overscan: 6,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  const { current, setCurrent, focusRow } = useRowFocus(boxRef, {
    rows,
    scrollToRow: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  });

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveOf(event);
    if (move === null || (move.kind === 'hide' && pointed === null)) return;
    event.preventDefault();
    make(move);
  }

  function make(move: PictureMove): void {
    if (move.kind === 'row' || move.kind === 'page' || move.kind === 'end') hide();
    switch (move.kind) {
      case 'row':
        return focusRow(current + move.by);
      case 'page': {
        const inSight = Math.floor(((boxRef.current?.clientHeight ?? 0) - headPx) / rowPx) - 1;
        return focusRow(current + move.by * Math.max(1, inSight));
      }
      case 'end':
        return focusRow(move.of === 'first' ? 0 : rows.length - 1);
      case 'pan':
        return pan(move.by);
      case 'part': {
        const part = step(current, move.by);
        const row = rows[current];
        if (part !== null && row !== undefined) show(placeOf(row, part));
        return;
      }
      case 'hide':
        return hide();
      default:
        return unreachable(move);
    }
  }

  const pointedIndex = pointed === null ? -1 : rows.findIndex(({ id }) => id === pointed.id);
  const pointedRow = rows[pointedIndex];
  const measures = { '--names': `${namesPx}px`, '--head': `${headPx}px`, '--sight': `${trackPx}px` };

  return (
    <div
      className={styles['picture']}
      style={measures as CSSProperties}
      data-narrow={namesPx === 0 || undefined}
      onPointerLeave={leaveWithMouse}
    >
      <div
        ref={boxRef}
        className={styles['box']}
        onKeyDown={press}
        onPointerMove={(event) => {
          if (event.pointerType === 'mouse' && !drag.isDragging()) pointWithMouse(event);
        }}
        onScroll={() => {
          onScroll();
          leaveWithMouse();
        }}
        {...drag.handlers}
      >
        <div className={styles['all']} style={{ width: namesPx + xOf(scale, scale.endMs) }}>
          <Axis scale={scale} nowMs={nowMs} />
          <div className={styles['body']} style={{ height: virtual.getTotalSize() }}>
            <Grid scale={scale} nowMs={nowMs} />
            <ul aria-label="Lifelines">
              {virtual.getVirtualItems().map(({ index, start, size: height }) => {
                const row = rows[index];
                return row === undefined ? null : (
                  <li
                    key={row.id}
                    data-index={index}
                    className={styles['row']}
                    aria-setsize={rows.length}
                    aria-posinset={index + 1}
                    style={{ height, transform: `translateY(${start - headPx}px)` }}
                  >
                    <LifelineRowView
                      row={row}
                      scale={scale}
                      unit={unit}
                      nowMs={nowMs}
                      isReachable={index === current}
                      helpId={helpId}
                      shown={pointed?.id === row.id ? pointed.part : null}
                      onReach={setCurrent}
                    />
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      </div>
      {pointed === null || pointedRow === undefined ? null : (
        <PartTip
          row={pointedRow}
          part={pointed.part}
          nowMs={nowMs}
          scale={scale}
          boxRef={boxRef}
          rowTop={headPx + pointedIndex * rowPx}
          rowPx={rowPx}
          namesPx={namesPx}
        />
      )}
      <p id={helpId} hidden>
        {keysSentence}
      </p>
      <p className={styles['said']} role="status">
        {pointed?.said}
      </p>
    </div>
  );
}
