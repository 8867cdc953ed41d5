import { memo } from 'react';

import { ticksOf } from './axis-ticks.ts';
import styles from './grid.module.css';
import type { Stretch } from './row-drawing.ts';
import { type Scale, xOf } from './time-scale.ts';

/** What lies behind all rows: the past's ground, the lines of days and weeks, and now. */
export function Grid({ scale, drawn, nowMs }: { scale: Scale; drawn: Stretch; nowMs: number }) {
  const nowX = xOf(scale, nowMs);
  return (
    <div className={styles['grid']} style={{ width: xOf(scale, scale.endMs) }} aria-hidden="true">
      <div className={styles['past']} style={{ width: nowX }} />
      <Lines scale={scale} drawn={drawn} />
      <div className={styles['now']} style={{ transform: `translateX(${nowX}px)` }} />
    </div>
  );
}

const Lines = memo(function Lines({ scale, drawn }: { scale: Scale; drawn: Stretch }) {
  return ticksOf(scale).map(({ atMs, isStrong }) => {
    const x = Math.round(xOf(scale, atMs));
    return x < drawn.fromX || x > drawn.untilX ? null : (
      <div
        key={atMs}
        className={styles['line']}
        data-strong={isStrong || undefined}
        style={{ transform: `translateX(${x}px)` }}
      />
    );
  });
});
