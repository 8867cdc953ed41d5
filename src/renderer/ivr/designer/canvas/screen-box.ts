import {
  type FitViewOptions,
  getViewportForBounds,
  type ReactFlowState,
  type Viewport,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react';
import { createContext, useContext, useEffect, useEffectEvent, useRef } from 'react';
import type { NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import type { Box } from '../../../../core/ivr/drawing/line-path.ts';
import { boxesOf } from '../layout/free-place.ts';
import { areaOf, boxAt, type Size } from './card-geometry.ts';

/** How many pixels of the canvas panels lie over, on each side. */
export interface Covered {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

export const notCovered: Covered = { left: 0, right: 0, bottom: 0 };
export const CoveredSides = createContext(notCovered);

/** Between the call flow and what is around it, in pixels; the buttons in the lower left corner keep their place. */
const edge = { side: 16, bottom: 56 };
const zoomBounds = { maxZoom: 1, minZoom: 0.1 } as const;

/** How the call flow is fitted into what panels leave of the canvas. */
export function useFitOptions() {
  return fitOptionsFor(useContext(CoveredSides));
}

function fitOptionsFor({ left, right, bottom }: Covered) {
  return {
    padding: {
      top: `${edge.side}px`,
      right: `${right + edge.side}px`,
      bottom: `${bottom + edge.bottom}px`,
      left: `${left + edge.side}px`,
    },
    ...zoomBounds,
  } as const satisfies FitViewOptions;
}

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

/**
 * Scrolls to a card that was selected elsewhere (in the list of problems, in the outline, by an undo) or that a panel covers.
 *
 * A flow that is fitted, with nothing selected, is fitted again when a panel opens or closes.
 */
export function useShowSelected(): void {
  const { store } = useDesigner();
  const selection = useDesignerState((state) => state.selection);
  const covered = useContext(CoveredSides);
  const flow = useReactFlow();
  const canvas = useStoreApi();
  const before = useRef(covered);

  useEffect(() => {
    const coveredBefore = before.current;
    const isCoveredNow = coveredBefore !== covered;
    before.current = covered;
    const view = canvas.getState();
    if (view.width === 0) return;
    const { document } = store.state();
    const free = freePart(view, covered);
    const [only] = selection;
    const node = document.nodes[only as NodeId];
    const card =
      only === undefined || selection.size > 1 ? null : boxAt(node, node?.place ?? document.caller.place);
    const whole = areaOf([...boxesOf(document).values()]);
    const fitted = fittedView(whole, view, covered);
    if (
      isCoveredNow &&
      card === null &&
      fitted.zoom >= closeZoom &&
      isAt(view, fittedView(whole, view, coveredBefore))
    ) {
      void flow.setViewport(fitted, { duration: isStill() ? 0 : 200 });
      return;
    }
    const area = isCoveredNow && fits(screenBox(whole, whole, view), free) ? whole : card;
    if (area === null) return;
    const box = screenBox(area, area, view);
    if (
      !isCoveredNow &&
      box.right > free.left &&
      box.bottom > 0 &&
      box.left < free.right &&
      box.top < free.bottom
    )
      return;
    // No further than needed: the card that leads there stays in sight.
    void flow.setViewport(shifted(view, box, free), { duration: isStill() ? 0 : 200 });
  }, [selection, covered, store, flow, canvas]);
}

/**
 * Shows cards that were added and are not wholly in sight: with the whole call flow where that can still be read, otherwise
 * no further than needed.
 */
export function useShowAdded(): void {
  const { store } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const covered = useContext(CoveredSides);
  const flow = useReactFlow();
  const canvas = useStoreApi();
  const before = useRef(document.nodes);

  const show = useEffectEvent(() => {
    const known = before.current;
    before.current = document.nodes;
    const added = Object.values(document.nodes).filter(({ id }) => !Object.hasOwn(known, id));
    const view = canvas.getState();
    // What somebody else adds moves nothing here.
    if (added.length === 0 || view.width === 0 || store.state().isReplaced) return;
    const area = areaOf(added.map((node) => boxAt(node, node.place)));
    const box = screenBox(area, area, view);
    const free = freePart(view, covered);
    const { x, y } = shifted(view, box, free, 0);
    if (x === view.transform[0] && y === view.transform[1]) return;
    const fitted = fittedView(areaOf([...boxesOf(document).values()]), view, covered);
    void flow.setViewport(
      fitted.zoom >= Math.min(view.transform[2], closeZoom) ? fitted : shifted(view, box, free),
      { duration: isStill() ? 0 : 200 },
    );
  });
  useEffect(() => show(), [document]);
}

/** The view in which an area fills what panels leave of the canvas. */
function fittedView(area: Box, { width, height }: View, covered: Covered): Viewport {
  const { padding, minZoom, maxZoom } = fitOptionsFor(covered);
  return getViewportForBounds(area, width, height, minZoom, maxZoom, padding);
}

/** Whether this is the view, to a pixel. */
function isAt({ transform: [x, y, zoom] }: View, there: Viewport): boolean {
  return Math.abs(x - there.x) < 1 && Math.abs(y - there.y) < 1 && Math.abs(zoom - there.zoom) < 0.001;
}

function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** What panels leave of the canvas, in pixels of the screen. */
function freePart({ width, height }: View, { left, right, bottom }: Covered): ScreenBox {
  return { left, top: 0, right: width - right, bottom: height - bottom };
}

function fits(box: ScreenBox, free: ScreenBox): boolean {
  return box.right - box.left <= free.right - free.left && box.bottom - box.top <= free.bottom - free.top;
}

/** The view in which a box is inside of a part of it, a margin away from its edges if that is possible. */
function shifted(
  { transform: [x, y, zoom] }: View,
  box: ScreenBox,
  free: ScreenBox,
  margin: number = edge.side,
): Viewport {
  return {
    x: x + shift([box.left, box.right], [free.left, free.right], margin),
    y: y + shift([box.top, box.bottom], [free.top, free.bottom], margin),
    zoom,
  };
}

type Span = readonly [start: number, end: number];

/** How far something has to be moved to be inside of a span. */
function shift([start, end]: Span, [from, to]: Span, margin: number): number {
  if (start < from + margin) return from + margin - start;
  return end > to - margin ? Math.max(to - margin - end, from + margin - start) : 0;
}

/** Whether the call flow is larger than the canvas, at the present magnification. */
export function useIsLarger(): boolean {
  const document = useDesignerState((state) => state.document);
  return useStore((view) => {
    const { width, height } = areaOf([...boxesOf(document).values()]);
    const [, , zoom] = view.transform;
    return view.width > 0 && (width * zoom > view.width || height * zoom > view.height);
  });
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

/** Null leaves the focus to the canvas. A card that was just added is rendered first. */
export function focusCard(id: string | null): void {
  if (id === null) return;
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true }),
  );
}
