import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { startOfDay } from '../../../text/time.ts';
import type { Stretch } from './row-drawing.ts';
import { msOf, pastShare, type Scale, scaleOf, type Span, xOf } from './time-scale.ts';

/** One press of an arrow key moves by this share of what is in sight. */
const panShare = 1 / 8;
/** What is drawn moves on by this share of what is in sight, and reaches as far beyond it on both sides. */
const drawnShare = 1 / 2;

export interface TimeScroll {
  readonly scale: Scale;
  /** What is in sight and some more, in pixels of the scale. It changes only now and then while time is scrolled. */
  readonly drawn: Stretch;
  readonly goToNow: () => void;
  /** A step into the past or ahead. */
  readonly pan: (by: 1 | -1) => void;
  /** Brings a stretch into sight, in seconds, unless some of it is. */
  readonly show: (stretch: { readonly from: number; readonly until: number }) => void;
  /** To be told of each scrolling. */
  readonly onScroll: () => void;
}

/** Time in a box that scrolls sideways: how wide it is, and where in it we are. */
export function useTimeScroll(
  boxRef: RefObject<HTMLElement | null>,
  { span, trackPx, nowMs }: { readonly span: Span; readonly trackPx: number; readonly nowMs: number },
): TimeScroll {
  const todayMs = startOfDay(nowMs, 0); // the scale moves at midnight, not each minute
  const scale = useMemo(
    () => scaleOf(todayMs, { spanDays: span, widthPx: trackPx }),
    [todayMs, span, trackPx],
  );
  const aheadPx = trackPx * pastShare;
  const stepPx = trackPx * drawnShare;
  const [step, setStep] = useState(0);
  const drawn = useMemo(
    () => ({ fromX: (step - 1) * stepPx, untilX: (step + 1) * stepPx + trackPx }),
    [step, stepPx, trackPx],
  );

  const leftPx = (): number => boxRef.current?.scrollLeft ?? 0;
  function scrollTo(left: number, isAtOnce = false): void {
    const isStill = isAtOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    boxRef.current?.scrollTo({ left, behavior: isStill ? 'instant' : 'smooth' });
  }

  // The instant at a quarter of the way stays there when the scale changes; in the beginning it is now.
  const anchorMs = useRef<number | null>(null);
  const goToAnchor = useEffectEvent(() => {
    scrollTo(xOf(scale, anchorMs.current ?? Date.now()) - aheadPx, true);
    setStep(Math.round(leftPx() / stepPx));
  });
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the event of the scrolling says it a frame later, which would be empty
    goToAnchor();
  }, [scale]);

  return {
    scale,
    drawn,
    goToNow: () => scrollTo(xOf(scale, Date.now()) - aheadPx),
    pan: (by) => scrollTo(leftPx() + by * trackPx * panShare),
    show: ({ from, until }) => {
      const [fromX, untilX] = [xOf(scale, from * 1000), xOf(scale, until * 1000)];
      if (untilX < leftPx()) scrollTo(untilX - trackPx / 2, true);
      else if (fromX > leftPx() + trackPx) scrollTo(fromX - trackPx / 2, true);
    },
    onScroll: () => {
      anchorMs.current = msOf(scale, leftPx() + aheadPx);
      const next = Math.round(leftPx() / stepPx);
      if (next !== step) setStep(next);
    },
  };
}

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
