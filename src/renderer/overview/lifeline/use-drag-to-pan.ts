import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';

/** A press that moves less than this is a click, in pixels. */
const clickPx = 4;

/** Lets the mouse drag what a box shows sideways and up and down. Fingers scroll the box by themselves. */
export function useDragToPan(boxRef: RefObject<HTMLElement | null>) {
  const start = useRef<{
    readonly x: number;
    readonly y: number;
    readonly left: number;
    readonly top: number;
  } | null>(null);
  const hasMoved = useRef(false);

  return {
    isDragging: () => hasMoved.current && start.current !== null,
    handlers: {
      onPointerDown({ pointerType, button, clientX, clientY }: PointerEvent): void {
        const box = boxRef.current;
        hasMoved.current = false;
        if (pointerType !== 'mouse' || button !== 0 || box === null) return;
        // A press on the scroll bar is the bar's own.
        const { left, top } = box.getBoundingClientRect();
        if (clientX - left > box.clientWidth || clientY - top > box.clientHeight) return;
        start.current = { x: clientX, y: clientY, left: box.scrollLeft, top: box.scrollTop };
      },
      onPointerMoveCapture({ clientX, clientY, pointerId, buttons }: PointerEvent): void {
        const box = boxRef.current;
        const from = start.current;
        if (from === null || box === null) return;
        if (buttons === 0) {
          start.current = null;
          return;
        }
        const [dx, dy] = [clientX - from.x, clientY - from.y];
        if (!hasMoved.current) {
          if (Math.hypot(dx, dy) < clickPx) return;
          hasMoved.current = true;
          // Also outside of the box, from now on.
          box.setPointerCapture(pointerId);
        }
        box.scrollTo({ left: from.left - dx, top: from.top - dy, behavior: 'instant' });
      },
      onPointerUp(): void {
        start.current = null;
      },
      onPointerCancel(): void {
        start.current = null;
      },
      /** The click that ends a drag opens nothing. */
      onClickCapture(event: MouseEvent): void {
        if (!hasMoved.current) return;
        hasMoved.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
      /** A link would be dragged away instead. */
      onDragStart(event: MouseEvent): void {
        event.preventDefault();
      },
    },
  };
}
