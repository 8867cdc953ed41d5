/** A position in a picture, in pixels at 100 %; y grows downwards. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The area of a card. */
export interface Box extends Spot, Size {}

/** The path around the cards between two ends: horizontally at a height, and down or up to it at two places. */
export interface Lane {
  readonly y: number;
  /** Where the line turns towards the lane, and where it turns towards its end. */
  readonly leave: number;
  readonly arrive: number;
}

const curveSteps = 24;
const cornerRadius = 14;

/** The line as an SVG path: a curve, or straight lines with round corners along a lane. */
export function linePath(start: Spot, end: Spot, lane: Lane | null): string {
  if (lane === null) {
    const middle = (start.x + end.x) / 2;
    return `M${start.x} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${end.x} ${end.y}`;
  }
  const { y, leave, arrive } = lane;
  return roundedPath([
    start,
    { x: leave, y: start.y },
    { x: leave, y },
    { x: arrive, y },
    { x: arrive, y: end.y },
    end,
  ]);
}

/** Whether the curve of `linePath` meets a card between its ends. */
export function isOnCurve({ x, y, width, height }: Box, start: Spot, end: Spot): boolean {
  if (x + width <= start.x || x >= end.x) return false;
  if (y + height <= Math.min(start.y, end.y) || y >= Math.max(start.y, end.y)) return false;
  for (let step = 1; step < curveSteps; step += 1) {
    const part = step / curveSteps;
    const rest = 1 - part;
    // The middle points of the curve lie half the way across, at the heights of its ends.
    const along = 1.5 * rest * part + part ** 3;
    const across = 3 * rest * part ** 2 + part ** 3;
    const at = { x: start.x + (end.x - start.x) * along, y: start.y + (end.y - start.y) * across };
    if (at.x > x && at.x < x + width && at.y > y && at.y < y + height) return true;
  }
  return false;
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
  return { x: rounded(from.x + (to.x - from.x) * part), y: rounded(from.y + (to.y - from.y) * part) };
}

function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

/*
 * The sizes of cards, in pixels at 100 %, on the canvas of the designer and in an exported picture.
 */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The name of a menu, at the top of its card. */
export const headHeight = 48;
/** The prompt, a key, the wrong key, the timeout. */
export const rowHeight = 32;
export const menuWidth = 304;
export const endSize: Size = { width: 216, height: 56 };
export const callerSize: Size = { width: 160, height: 56 };
