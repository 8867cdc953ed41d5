import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react';

import { msOf, pastShare, type Scale, scaleOf, type Span, xOf } from './time-scale.ts';

/** One press of an arrow key moves by this share of what is in sight. */
const panShare = 1 / 8;

export interface TimeScroll {
  readonly scale: Scale;
  readonly goToNow: () => void;
  /** A step into the past or ahead. */
  readonly pan: (by: 1 | -1) => void;
  /** Brings a stretch into sight, in seconds, unless some of it is. */
  readonly show: (stretch: { readonly from: number; readonly until: number }) => void;
  /** Told after each scrolling. */
  readonly onScroll: () => void;
}

/** Time in a box that scrolls sideways: how wide it is, and where in it we are. */
export function useTimeScroll(
  boxRef: RefObject<HTMLElement | null>,
  { span, trackPx, nowMs }: { readonly span: Span; readonly trackPx: number; readonly nowMs: number },
): TimeScroll {
  const today = new Date(nowMs).toDateString();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the scale moves at midnight, not each minute
  const scale = useMemo(() => scaleOf(nowMs, { spanDays: span, widthPx: trackPx }), [today, span, trackPx]);
  const aheadPx = trackPx * pastShare;

  function scrollTo(left: number, isAtOnce = false): void {
    const isStill = isAtOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    boxRef.current?.scrollTo({ left, behavior: isStill ? 'instant' : 'smooth' });
  }

  // The instant at a quarter of the way stays there when the scale changes; in the beginning it is now.
  const anchorMs = useRef<number | null>(null);
  useLayoutEffect(() => {
    scrollTo(xOf(scale, anchorMs.current ?? Date.now()) - aheadPx, true);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when the scale changes, and not when it is drawn again
  }, [scale]);

  return {
    scale,
    goToNow: () => scrollTo(xOf(scale, Date.now()) - aheadPx),
    pan: (by) => scrollTo((boxRef.current?.scrollLeft ?? 0) + by * trackPx * panShare),
    show: ({ from, until }) => {
      const [fromX, untilX] = [xOf(scale, from * 1000), xOf(scale, until * 1000)];
      const left = boxRef.current?.scrollLeft ?? 0;
      if (untilX < left) scrollTo(untilX - trackPx / 2, true);
      else if (fromX > left + trackPx) scrollTo(fromX - trackPx / 2, true);
    },
    onScroll: () => {
      anchorMs.current = msOf(scale, (boxRef.current?.scrollLeft ?? 0) + aheadPx);
    },
  };
}
