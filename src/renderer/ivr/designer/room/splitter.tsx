import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

import styles from './splitter.module.css';
import type { Panel } from './use-panel.ts';

const stepPixels = 16;

/** The edge of a panel: dragged, or moved by the arrows, it makes the panel larger or smaller. */
export function Splitter({
  name,
  panel: { size, min, max, setSize },
  axis,
  grows,
}: {
  name: string;
  panel: Panel;
  axis: 'x' | 'y';
  /** Whether moving it to the right or down makes the panel larger, or smaller. */
  grows: 'forward' | 'back';
}) {
  const grabbed = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const sign = grows === 'forward' ? 1 : -1;
  const at = (event: PointerEvent): number => (axis === 'x' ? event.clientX : event.clientY);

  function grab(event: PointerEvent): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    grabbed.current = { at: at(event), size };
  }
  function drag(event: PointerEvent): void {
    if (grabbed.current !== null) setSize(grabbed.current.size + (at(event) - grabbed.current.at) * sign);
  }
  function press(event: KeyboardEvent): void {
    const forward = axis === 'x' ? 'ArrowRight' : 'ArrowDown';
    const back = axis === 'x' ? 'ArrowLeft' : 'ArrowUp';
    if (event.key !== forward && event.key !== back) return;
    event.preventDefault();
    setSize(size + stepPixels * sign * (event.key === forward ? 1 : -1));
  }

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={name}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={styles['splitter']}
      data-axis={axis}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={() => (grabbed.current = null)}
      onLostPointerCapture={() => (grabbed.current = null)}
      onKeyDown={press}
    />
  );
}
