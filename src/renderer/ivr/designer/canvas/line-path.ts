import type { Spot } from './card-geometry.ts';

/** How far a line that leads back keeps from the cards, in pixels: clear of what is said below them. */
const asidePixels = 28;
const belowPixels = 36;
const cornerRadius = 14;

/**
 * The way of a line that leads back to a card on the left: out, under both cards, and up to where it ends.
 *
 * A curve would run behind the cards, where nobody can follow it.
 */
export function pathBack(
  start: Spot,
  end: Spot,
  below: { readonly start: number; readonly end: number },
): string {
  const under = Math.max(start.y + below.start, end.y + below.end) + belowPixels;
  return roundedPath([
    start,
    { x: start.x + asidePixels, y: start.y },
    { x: start.x + asidePixels, y: under },
    { x: end.x - asidePixels, y: under },
    { x: end.x - asidePixels, y: end.y },
    end,
  ]);
}

/** Straight lines from point to point, with round corners. */
function roundedPath(points: readonly Spot[]): string {
  return points
    .map((point, place) => {
      const before = points[place - 1];
      const after = points[place + 1];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const from = toward(point, before);
      const to = toward(point, after);
      return `L${from.x} ${from.y}Q${point.x} ${point.y} ${to.x} ${to.y}`;
    })
    .join('');
}

/** The point a corner's radius away, or half the way where that is not as far. */
function toward(from: Spot, to: Spot): Spot {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const part = distance === 0 ? 0 : Math.min(cornerRadius, distance / 2) / distance;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
