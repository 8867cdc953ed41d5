import {
  type FitViewOptions,
  getViewportForBounds,
  type ReactFlowState,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { areaOf, boxAt, callerSize, type Size, sizeOf } from './card-geometry.ts';

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

/**
 * Shows cards that were added and are not wholly in sight: with the whole call flow where that can still be read, otherwise
 * no further than needed.
 */
export function useShowAdded(): void {
  const { store } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const flow = useReactFlow();
  const canvas = useStoreApi();
  const before = useRef(document.nodes);

  useEffect(() => {
    const known = before.current;
    before.current = document.nodes;
    const added = Object.values(document.nodes).filter(({ id }) => !Object.hasOwn(known, id));
    const view = canvas.getState();
    // What somebody else adds moves nothing here.
    if (added.length === 0 || view.width === 0 || store.state().isReplaced) return;
    const area = areaOf(added.map((node) => boxAt(node, node.place)));
    const box = screenBox(area, area, view);
    const by = {
      x: shift(box.left, box.right, view.width, 0),
      y: shift(box.top, box.bottom, view.height, 0),
    };
    if (by.x === 0 && by.y === 0) return;
    const all = areaOf([
      boxAt(undefined, document.caller.place),
      ...Object.values(document.nodes).map((node) => boxAt(node, node.place)),
    ]);
    const { padding, minZoom, maxZoom } = fitOptions;
    const fitted = getViewportForBounds(all, view.width, view.height, minZoom, maxZoom, padding);
    const [x, y, zoom] = view.transform;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void flow.setViewport(
      fitted.zoom >= Math.min(zoom, closeZoom)
        ? fitted
        : {
            x: x + shift(box.left, box.right, view.width),
            y: y + shift(box.top, box.bottom, view.height),
            zoom,
          },
      { duration: isStill ? 0 : 200 },
    );
  }, [document, store, flow, canvas]);
}

const edge = 32;

/** How far something from `start` to `end` has to be moved to be inside of a window of this length. */
function shift(start: number, end: number, length: number, margin = edge): number {
  if (start < margin) return margin - start;
  return end > length - margin ? Math.max(length - margin - end, margin - start) : 0;
}

/** How large the cards are on the screen, and so how much of each is worth rendering. */
export type Sight = 'far' | 'middle' | 'close';

/** Below this the text of a card cannot be read: 13 pixels become less than 6. */
const farZoom = 0.45;
/** From here on few cards are in sight, so that dots and shadows do not slow the canvas down. */
const closeZoom = 0.6;

/** @param zoom - magnification, 1 is 100 % */
export function sightAt(zoom: number): Sight {
  if (zoom < farZoom) return 'far';
  return zoom < closeZoom ? 'middle' : 'close';
}
