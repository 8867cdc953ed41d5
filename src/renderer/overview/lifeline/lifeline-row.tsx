import { memo, type MouseEvent, useMemo } from 'react';

import type { LifelineRow } from '../../../contract/lifeline.ts';
import { goTo } from '../../kit/navigation.ts';
import styles from './lifeline-row.module.css';
import { drawRow, trackHeight } from './row-drawing.ts';
import { placeOf, type RowPart } from './row-parts.ts';
import { RowSign } from './row-sign.tsx';
import { pathOf, rowSentence, standingWords } from './row-words.ts';
import { type Scale, xOf } from './time-scale.ts';

/** One row: its name, how it stands, and its time as one drawing. It is a link to its own page. */
export const LifelineRowView = memo(function LifelineRowView({
  row,
  scale,
  unit,
  nowMs,
  isReachable,
  helpId,
  shown,
  onReach,
}: {
  row: LifelineRow;
  scale: Scale;
  /** How many pixels a unit of the drawing is. */
  unit: number;
  nowMs: number;
  /** Whether Tab leads to it: to one of all rows. */
  isReachable: boolean;
  helpId: string;
  /** The part that is pointed at. */
  shown: RowPart | null;
  onReach: (id: string) => void;
}) {
  /** As `kit/link.tsx` does; that one is no stop of a row of rows. */
  function open(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(pathOf(row));
  }

  return (
    <a
      href={pathOf(row)}
      className={styles['row']}
      aria-label={rowSentence(row, nowMs)}
      aria-describedby={helpId}
      tabIndex={isReachable ? 0 : -1}
      onFocus={() => onReach(row.id)}
      onClick={open}
    >
      <span className={styles['names']}>
        <RowSign row={row} />
        <span className={styles['words']}>
          <span className={styles['name']} title={row.name}>
            {row.name}
          </span>{' '}
          <span className={styles['standing']} data-tone={toneOf(row)}>
            {standingWords(row, nowMs)}
          </span>
        </span>
      </span>
      <Track row={row} scale={scale} unit={unit} nowMs={nowMs} shown={shown} />
    </a>
  );
});

function Track({
  row,
  scale,
  unit,
  nowMs,
  shown,
}: {
  row: LifelineRow;
  scale: Scale;
  unit: number;
  nowMs: number;
  shown: RowPart | null;
}) {
  const drawing = useMemo(
    () => drawRow(row, nowMs / 1000, { xOf: (seconds) => xOf(scale, seconds * 1000), unit }),
    [row, nowMs, scale, unit],
  );
  const { ended, caps } = drawing;
  return (
    <svg
      className={styles['track']}
      width={xOf(scale, scale.endMs)}
      height={trackHeight * unit}
      aria-hidden="true"
      focusable="false"
    >
      {shown === null ? null : <Highlight row={row} part={shown} scale={scale} unit={unit} />}
      <path className={styles['superseded']} d={ended.superseded} />
      <path className={styles['expired']} d={ended.expired} />
      <path className={styles['blacklisted']} d={ended.blacklisted} />
      <path className={styles['replaced']} d={ended.replaced} />
      <g data-look={lookOf(row)} className={styles['present']}>
        <path className={styles['lived']} d={drawing.lived} />
        <path className={styles['left']} d={drawing.left} />
        <path className={styles['end']} d={drawing.expiry} />
      </g>
      <path className={styles['expiredCap']} d={caps.expired} />
      <path className={styles['blacklistedCap']} d={caps.blacklisted} />
      <path className={styles['replacedCap']} d={caps.replaced} />
      <path className={styles['planned']} data-look={drawing.plannedLook} d={drawing.planned} />
      <path className={styles['next']} data-look={lookOf(row)} d={drawing.next} />
    </svg>
  );
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

function toneOf(row: LifelineRow): 'bad' | 'warn' | undefined {
  if (!row.needs_attention) return undefined;
  return lookOf(row) === 'failing' ? 'bad' : 'warn';
}

/** What the present value looks like. */
function lookOf(row: LifelineRow): 'fresh' | 'failing' | 'resting' | 'unkept' {
  if (row.kind === 'family') return row.status === 'Suspended' ? 'resting' : 'unkept';
  if (row.paused !== null && row.state === 'paused') return 'resting';
  return row.needs_attention && row.state !== 'delivery_failing' && row.state !== 'fine'
    ? 'failing'
    : 'fresh';
}
