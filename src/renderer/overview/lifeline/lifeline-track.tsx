import { memo, useMemo } from 'react';

import type { LifelineRow } from '../../../contract/window/lifeline.ts';
import styles from './lifeline-track.module.css';
import { drawRow, type Stretch, trackHeight } from './row-drawing.ts';
import { lookOf } from './lifeline-name.tsx';
import { placeOf, type RowPart } from './row-parts.ts';
import { type Scale, xOf } from './time-scale.ts';

/** A row's time as one drawing. It is for the eyes: the name beside it says the same in words. */
export const LifelineTrack = memo(function LifelineTrack({
  row,
  scale,
  drawn,
  unit,
  nowMs,
  shown,
}: {
  row: LifelineRow;
  scale: Scale;
  drawn: Stretch;
  /** How many pixels a unit of the drawing is. */
  unit: number;
  nowMs: number;
  /** The part that is pointed at. */
  shown: RowPart | null;
}) {
  const drawing = useMemo(() => {
    const toX = (seconds: number): number => xOf(scale, seconds * 1000);
    return drawRow(row, nowMs / 1000, { xOf: toX, unit, within: drawn });
  }, [row, nowMs, scale, unit, drawn]);
  const { ended, caps } = drawing;
  const look = lookOf(row);
  const width = drawn.untilX - drawn.fromX;
  const height = trackHeight * unit;
  return (
    <svg
      className={styles['track']}
      viewBox={`${drawn.fromX} 0 ${width} ${height}`}
      width={width}
      height={height}
      style={{ left: drawn.fromX }}
      focusable="false"
    >
      {shown === null ? null : <Highlight row={row} part={shown} scale={scale} unit={unit} />}
      <Shape look="superseded" path={ended.superseded} />
      <Shape look="expired" path={ended.expired} />
      <Shape look="blacklisted" path={ended.blacklisted} />
      <Shape look="replaced" path={ended.replaced} />
      <g data-look={look} className={styles['present']}>
        <Shape look="lived" path={drawing.lived} />
        <Shape look="left" path={drawing.left} />
        <Shape look="end" path={drawing.expiry} />
      </g>
      <Shape look="expiredCap" path={caps.expired} />
      <Shape look="blacklistedCap" path={caps.blacklisted} />
      <Shape look="replacedCap" path={caps.replaced} />
      <g data-look={drawing.plannedLook}>
        <Shape look="planned" path={drawing.planned} />
      </g>
      <g data-look={look}>
        <Shape look="next" path={drawing.next} />
      </g>
    </svg>
  );
});

/** Most rows have few of all the shapes there are: the others are no elements. */
function Shape({ look, path }: { look: string; path: string | readonly string[] }) {
  if (typeof path !== 'string')
    return path.map((piece, place) => <Shape key={place} look={look} path={piece} />);
  return path === '' ? null : <path className={styles[look]} d={path} />;
}

/** Where the part is that the words are about. */
function Highlight({
  row,
  part,
  scale,
  unit,
}: {
  row: LifelineRow;
  part: RowPart;
  scale: Scale;
  unit: number;
}) {
  const { from, until } = placeOf(row, part);
  const around = (part.kind === 'plan' ? 9 : 3) * unit;
  return (
    <rect
      className={styles['highlight']}
      x={xOf(scale, from * 1000) - around}
      y={unit}
      width={(until - from) * 1000 * scale.pxPerMs + 2 * around}
      height={(trackHeight - 2) * unit}
      rx={6 * unit}
    />
  );
}
