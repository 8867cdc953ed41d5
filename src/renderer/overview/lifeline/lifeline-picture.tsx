import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { LifelineRow } from '../../../contract/window/lifeline.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { lifelineText } from '../../../text/window/lifeline-text.ts';
import { goTo } from '../../kit/navigation.ts';
import unseen from '../../kit/unseen.module.css';
import { Axis, Grid } from './axis.tsx';
import { LifelineName, pathOf } from './lifeline-name.tsx';
import styles from './lifeline-picture.module.css';
import { LifelineTrack } from './lifeline-track.tsx';
import { PartTip, rowIdOf, usePointedPart } from './part-tip.tsx';
import { placeOf } from './row-parts.ts';
import { type Span, xOf } from './time-scale.ts';
import { moveOf, type PictureMove, useRowFocus } from './use-row-focus.ts';
import { useDragToPan, useTimeScroll } from './use-time-scroll.ts';

export interface PictureHandle {
  /** Brings now back to its place, a quarter of the way. */
  readonly goToNow: () => void;
}

/**
 * The rows in one box that scrolls both ways by itself: up and down through the rows, left and right through time.
 *
 * The browser's own scrolling is what makes it smooth: a row is drawn once for all its time, and only rows in sight are
 * there. One row can have the focus; what the keys do is in `use-row-focus.ts`.
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
  const { scale, drawn, goToNow, pan, show, onScroll } = useTimeScroll(boxRef, { span, trackPx, nowMs });
  const { pointed, pointWithMouse, leaveWithMouse, step, hide } = usePointedPart(boxRef, {
    rows,
    scale,
    unit,
    namesPx,
    nowMs,
  });
  const drag = useDragToPan(boxRef);
  useImperativeHandle(ref, () => ({ goToNow }));

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

  /** A press on a bar does what its name does. */
  function openTrack(target: EventTarget): void {
    if (target instanceof Element && target.closest('a') !== null) return;
    const row = rows.find(({ id }) => id === rowIdOf(target));
    if (row !== undefined) goTo(pathOf(row));
  }

  const shownRows = virtual.getVirtualItems().flatMap(({ index, start, size: height }) => {
    const row = rows[index];
    return row === undefined
      ? []
      : [{ row, index, place: { height, transform: `translateY(${start - headPx}px)` } }];
  });
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
        data-pointing={pointed?.by === 'mouse' || undefined}
        onClick={({ target }) => openTrack(target)}
        onKeyDown={press}
        onPointerMove={(event) => {
          if (event.pointerType === 'mouse' && !drag.isDragging()) pointWithMouse(event);
        }}
        onScroll={() => {
          onScroll();
          if (pointed !== null) leaveWithMouse();
        }}
        {...drag.handlers}
      >
        <div className={styles['all']} style={{ width: namesPx + xOf(scale, scale.endMs) }}>
          <Axis scale={scale} drawn={drawn} unit={unit} nowMs={nowMs} />
          <div className={styles['body']} style={{ height: virtual.getTotalSize() }}>
            <Grid scale={scale} drawn={drawn} nowMs={nowMs} />
            <div className={styles['tracks']} aria-hidden="true">
              {shownRows.map(({ row, place }) => (
                <div key={row.id} data-id={row.id} className={styles['row']} style={place}>
                  <LifelineTrack
                    row={row}
                    scale={scale}
                    drawn={drawn}
                    unit={unit}
                    nowMs={nowMs}
                    shown={pointed?.id === row.id ? pointed.part : null}
                  />
                </div>
              ))}
            </div>
            {/* One column that stays in sight, not a name in each row: each that stays would cost a layer. */}
            <ul className={styles['names']} aria-label={lifelineText.rows}>
              {shownRows.map(({ row, index, place }) => (
                <li
                  key={row.id}
                  data-id={row.id}
                  className={styles['row']}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  style={place}
                >
                  <LifelineName
                    row={row}
                    nowMs={nowMs}
                    isReachable={index === current}
                    helpId={helpId}
                    onReach={setCurrent}
                  />
                </li>
              ))}
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
        {lifelineText.keys}
      </p>
      <p className={unseen['unseen']} role="status">
        {pointed?.said}
      </p>
    </div>
  );
}

/** The measures of the picture in pixels. */
export interface PictureSize {
  /** How wide the part is that shows time. */
  readonly trackPx: number;
  /** How wide the names beside it are; 0 where they stand above the bars. */
  readonly namesPx: number;
  readonly rowPx: number;
  readonly headPx: number;
  /** How many pixels a unit of the drawings is: they grow with the letters. */
  readonly unit: number;
}

/** In root units; as in the style sheet. */
const namesRem = 15;
/** The same where the box is at least so wide. */
const roomyNamesRem = 19;
const roomyRem = 64;
const rowRem = 3;
const narrowRowRem = 4.25;
const headRem = 3.25;
/** Below this width of the box, in root units, names stand above their bars. */
const narrowRem = 36;

/** The size of the picture in its box, anew whenever the box or the letters change. */
function usePictureSize(boxRef: RefObject<HTMLElement | null>): PictureSize {
  const [size, setSize] = useState<PictureSize>(() => sizeOf(800));
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    const look = (): void => {
      const next = sizeOf(box.clientWidth);
      setSize((before) =>
        before.trackPx === next.trackPx && before.rowPx === next.rowPx && before.unit === next.unit
          ? before
          : next,
      );
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box);
    return () => watch.disconnect();
  }, [boxRef]);
  return size;
}

function sizeOf(widthPx: number): PictureSize {
  const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const isNarrow = widthPx < narrowRem * rootPx;
  const names = widthPx < roomyRem * rootPx ? namesRem : roomyNamesRem;
  const namesPx = isNarrow ? 0 : names * rootPx;
  return {
    namesPx,
    trackPx: Math.max(widthPx - namesPx, 100),
    rowPx: (isNarrow ? narrowRowRem : rowRem) * rootPx,
    headPx: headRem * rootPx,
    unit: rootPx / 16,
  };
}
