import { memo } from 'react';

import { monthsOf, ticksOf } from './axis-ticks.ts';
import styles from './axis.module.css';
import { type Scale, xOf } from './time-scale.ts';

/** The months and days above the rows. A month's name stays in sight as long as the month is. */
export function Axis({ scale, nowMs }: { scale: Scale; nowMs: number }) {
  return (
    <div className={styles['axis']} aria-hidden="true">
      <div className={styles['corner']} />
      <div className={styles['track']} style={{ width: xOf(scale, scale.endMs) }}>
        <Names scale={scale} nowX={Math.round(xOf(scale, nowMs))} />
        <span className={styles['now']} style={{ left: xOf(scale, nowMs) }}>
          Now
        </span>
      </div>
    </div>
  );
}

/** How far the sign of now reaches to each side, and how wide a letter is at most, in pixels. */
const nowReachPx = 24;
const letterPx = 7;

const Names = memo(function Names({ scale, nowX }: { scale: Scale; nowX: number }) {
  return (
    <>
      <div className={styles['months']}>
        {monthsOf(scale).map(({ fromMs, untilMs, label }) => (
          <div
            key={fromMs}
            className={styles['month']}
            style={{ left: xOf(scale, fromMs), width: xOf(scale, untilMs) - xOf(scale, fromMs) }}
          >
            <span className={styles['name']}>{label}</span>
          </div>
        ))}
      </div>
      {ticksOf(scale).map(({ atMs, label, isStrong }) =>
        label === null || isCovered(xOf(scale, atMs), label, nowX) ? null : (
          <span
            key={atMs}
            className={styles['day']}
            data-strong={isStrong || undefined}
            style={{ left: xOf(scale, atMs) }}
          >
            {label}
          </span>
        ),
      )}
    </>
  );
});

/** Whether the sign of now stands where this name would. */
function isCovered(x: number, label: string, nowX: number): boolean {
  return x < nowX + nowReachPx && x + (label.length + 1) * letterPx > nowX - nowReachPx;
}
