import { type FitViewOptions, type ReactFlowState, useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import type { NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { callerSize, type Size, sizeOf } from './card-geometry.ts';

/** How the call flow is fitted: the buttons in the lower left corner keep their place. */
export const fitOptions = {
  padding: { top: '32px', right: '32px', bottom: '64px', left: '32px' },
  maxZoom: 1,
  minZoom: 0.1,
} as const satisfies FitViewOptions;

type View = Pick<ReactFlowState, 'transform' | 'width' | 'height'>;

interface ScreenBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where a card is in the window of the canvas, in pixels of the screen. */
function screenBox({ x, y }: Place, { width, height }: Partial<Size>, { transform }: View): ScreenBox {
  const [left, top, zoom] = transform;
  return {
    left: x * zoom + left,
    top: y * zoom + top,
    right: (x + (width ?? 0)) * zoom + left,
    bottom: (y + (height ?? 0)) * zoom + top,
  };
}

/** Whether any of a card is in sight, or would be if the window were larger by so many pixels on each side. */
export function isInSight(place: Place, size: Partial<Size>, view: View, marginPixels = 0): boolean {
  const { left, top, right, bottom } = screenBox(place, size, view);
  return (
    right > -marginPixels &&
    bottom > -marginPixels &&
    left < view.width + marginPixels &&
    top < view.height + marginPixels
  );
}

/** Scrolls to a card that was selected elsewhere: in the list of problems, in the outline, by an undo. */
export function useShowSelected(): void {
  const { store } = useDesigner();
  const selection = useDesignerState((state) => state.selection);
  const flow = useReactFlow();
  const canvas = useStoreApi();

  useEffect(() => {
    const [only] = selection;
    if (only === undefined || selection.size > 1) return;
    const { document } = store.state();
    const node = document.nodes[only as NodeId];
    const place = node?.place ?? document.caller.place;
    const size = node === undefined ? callerSize : sizeOf(node);
    const view = canvas.getState();
    if (view.width === 0 || isInSight(place, size, view)) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const box = screenBox(place, size, view);
    const [x, y, zoom] = view.transform;
    // No further than needed: the card that leads there stays in sight.
    void flow.setViewport(
      { x: x + shift(box.left, box.right, view.width), y: y + shift(box.top, box.bottom, view.height), zoom },
      { duration: isStill ? 0 : 200 },
    );
  }, [selection, store, flow, canvas]);
}

const edge = 32;

/** How far something from `start` to `end` has to be moved to be inside of a window of this length. */
function shift(start: number, end: number, length: number): number {
  if (start < edge) return edge - start;
  return end > length - edge ? Math.max(length - edge - end, edge - start) : 0;
}
