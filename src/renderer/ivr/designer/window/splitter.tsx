import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import styles from './designer-layout.module.css';

const stepPixels = 16;

/** The edge of a panel: dragging it or the arrow keys resize the panel. */
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

/** A panel that a person resizes and opens or closes; the browser remembers it. */
export interface Panel {
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly isOpen: boolean;
  readonly setSize: (size: number) => void;
  readonly setOpen: (isOpen: boolean) => void;
}

/** `size` is in pixels, until a person changes it. */
export function usePanel(
  name: string,
  { size: usual, min, max, isOpen: isUsuallyOpen }: Pick<Panel, 'size' | 'min' | 'max' | 'isOpen'>,
): Panel {
  const key = `rotavox:designer:${name}`;
  const [size, setSize] = useState(() => readSize(localStorage.getItem(`${key}:size`), usual));
  const [opened, setOpened] = useState(() => localStorage.getItem(`${key}:open`));
  return {
    size: Math.min(max, Math.max(min, size)),
    min,
    max,
    isOpen: opened === null ? isUsuallyOpen : opened === '1',
    setSize: (next) => {
      const held = Math.round(Math.min(max, Math.max(min, next)));
      setSize(held);
      localStorage.setItem(`${key}:size`, String(held));
    },
    setOpen: (next) => {
      setOpened(next ? '1' : '0');
      localStorage.setItem(`${key}:open`, next ? '1' : '0');
    },
  };
}

function readSize(text: string | null, usual: number): number {
  const size = Number(text);
  return text === null || !Number.isFinite(size) ? usual : size;
}
