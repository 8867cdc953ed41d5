import type { ReactFlowState } from '@xyflow/react';

import type { Place } from '../../../../contract/ivr-draft.ts';
import type { Size } from './card-geometry.ts';

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

/** Whether all of a card is in sight. */
export function isWhollyInSight(place: Place, size: Partial<Size>, view: View): boolean {
  const { left, top, right, bottom } = screenBox(place, size, view);
  return left >= 0 && top >= 0 && right <= view.width && bottom <= view.height;
}
