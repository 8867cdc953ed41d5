import { memo } from 'react';

import { monthsOf, ticksOf } from './axis-ticks.ts';
import styles from './axis.module.css';
import type { Stretch } from './row-drawing.ts';
import { type Scale, xOf } from './time-scale.ts';

/** How far the sign of now reaches to each side, and how wide a letter is at most, in units. */
const nowReach = 24;
const letter = 7;

/** The months and days above the rows. A month's name stays in sight as long as the month is. */
export function Axis({
  scale,
  drawn,
  unit,
  nowMs,
}: {
  scale: Scale;
  drawn: Stretch;
  unit: number;
  nowMs: number;
}) {
  const nowX = xOf(scale, nowMs);
  return (
    <div className={styles['axis']} aria-hidden="true">
      <div className={styles['corner']} />
      <div className={styles['track']} style={{ width: xOf(scale, scale.endMs) }}>
        <Months scale={scale} />
        <Days scale={scale} drawn={drawn} unit={unit} nowX={Math.round(nowX)} />
        <span className={styles['now']} style={{ left: nowX }}>
          Now
        </span>
      </div>
    </div>
  );
}

const Months = memo(function Months({ scale }: { scale: Scale }) {
  return monthsOf(scale).map(({ fromMs, untilMs, label }) => (
    <div
      key={fromMs}
      className={styles['month']}
      style={{ left: xOf(scale, fromMs), width: xOf(scale, untilMs) - xOf(scale, fromMs) }}
    >
      <span className={styles['name']}>{label}</span>
    </div>
  ));
});

const Days = memo(function Days({
  scale,
  drawn,
  unit,
  nowX,
}: {
  scale: Scale;
  drawn: Stretch;
  unit: number;
  nowX: number;
}) {
  /** Whether the sign of now stands where a name would. */
  const isCovered = (x: number, label: string): boolean =>
    x < nowX + nowReach * unit && x + (label.length + 1) * letter * unit > nowX - nowReach * unit;
  return ticksOf(scale).map(({ atMs, label, isStrong }) => {
    const x = xOf(scale, atMs);
    if (label === null || x < drawn.fromX || x > drawn.untilX || isCovered(x, label)) return null;
    return (
      <span key={atMs} className={styles['day']} data-strong={isStrong || undefined} style={{ left: x }}>
        {label}
      </span>
    );
  });
});
