import { type RefObject, useLayoutEffect, useState } from 'react';

/** The measures of the picture in pixels. */
export interface PictureSize {
  /** How wide the part is that shows time. */
  readonly trackPx: number;
  /** How wide the names beside it are; 0 where they stand above the bars. */
  readonly namesPx: number;
  readonly rowPx: number;
  readonly headPx: number;
  /** How many pixels a unit of the drawings is: they grow with the letters. */
  readonly unit: number;
}

/** In root units; as in the style sheet. */
const namesRem = 15;
const rowRem = 3;
const narrowRowRem = 4.25;
const headRem = 3.25;
/** Below this width of the box, in root units, names stand above their bars. */
const narrowRem = 36;

/** The size of the picture in its box, anew whenever the box or the letters change. */
export function usePictureSize(boxRef: RefObject<HTMLElement | null>): PictureSize {
  const [size, setSize] = useState<PictureSize>(() => sizeOf(800));
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    const look = (): void => {
      const next = sizeOf(box.clientWidth);
      setSize((before) =>
        before.trackPx === next.trackPx && before.rowPx === next.rowPx && before.unit === next.unit
          ? before
          : next,
      );
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box);
    return () => watch.disconnect();
  }, [boxRef]);
  return size;
}

function sizeOf(widthPx: number): PictureSize {
  const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const isNarrow = widthPx < narrowRem * rootPx;
  const namesPx = isNarrow ? 0 : namesRem * rootPx;
  return {
    namesPx,
    trackPx: Math.max(widthPx - namesPx, 100),
    rowPx: (isNarrow ? narrowRowRem : rowRem) * rootPx,
    headPx: headRem * rootPx,
    unit: rootPx / 16,
  };
}
