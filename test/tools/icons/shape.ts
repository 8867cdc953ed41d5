/**
 * Shapes as signed distances: how far a point is from the edge, in pixels, negative inside.
 *
 * The origin is the middle of the picture, y points down, angles are turns clockwise from 12 o'clock. The arithmetic is
 * such that Node rounds it the same way on every machine, so a picture is the same wherever it is drawn.
 */
export type Shape = (x: number, y: number) => number;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Radius of the corners. */
  readonly corner?: number;
}

export function disc(radius: number, centre = { x: 0, y: 0 }): Shape {
  return (x, y) => length(x - centre.x, y - centre.y) - radius;
}

/** A circle drawn with a pen: `radius` is the middle of the stroke. */
export function ring(radius: number, stroke: number): Shape {
  return (x, y) => Math.abs(length(x, y) - radius) - stroke / 2;
}

export function box({ left, top, width, height, corner = 0 }: Box): Shape {
  const middle = { x: left + width / 2, y: top + height / 2 };
  return (x, y) => {
    const beyondX = Math.abs(x - middle.x) - width / 2 + corner;
    const beyondY = Math.abs(y - middle.y) - height / 2 + corner;
    return (
      length(Math.max(beyondX, 0), Math.max(beyondY, 0)) + Math.min(Math.max(beyondX, beyondY), 0) - corner
    );
  };
}

/** The slice of the plane from one angle clockwise to another, at most a turn later. */
export function slice(fromTurn: number, toTurn: number): Shape {
  const after = halfPlane(fromTurn);
  const before = halfPlane(toTurn);
  return toTurn - fromTurn > 0.5
    ? (x, y) => Math.min(after(x, y), -before(x, y))
    : (x, y) => Math.max(after(x, y), -before(x, y));
}

export function both(one: Shape, other: Shape): Shape {
  return (x, y) => Math.max(one(x, y), other(x, y));
}

export function either(...shapes: readonly Shape[]): Shape {
  return (x, y) => Math.min(...shapes.map((shape) => shape(x, y)));
}

/** Everything but the shape. */
export function outside(shape: Shape): Shape {
  return (x, y) => -shape(x, y);
}

/** The point at an angle, so far from the middle. */
export function onCircle(turn: number, radius: number): { x: number; y: number } {
  return { x: radius * Math.sin(2 * Math.PI * turn), y: -radius * Math.cos(2 * Math.PI * turn) };
}

/** What lies clockwise of the ray at that angle, within half a turn. */
function halfPlane(turn: number): Shape {
  const ray = onCircle(turn, 1);
  return (x, y) => x * ray.y - y * ray.x;
}

/** Not `Math.hypot`, which may round differently from one release of Node to the next. */
function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Red, green, blue: 0 to 255. */
export type Colour = readonly [number, number, number];

/** A square picture: four bytes a pixel, red, green, blue, alpha, row after row. */
export interface Picture {
  readonly sizePx: number;
  readonly rgba: Uint8Array;
}

/** What lies on what is below it; `colour` may depend on the height, for a gradient. */
export interface Layer {
  readonly shape: Shape;
  readonly colour: Colour | ((y: number) => Colour);
  readonly opacity?: number | ((y: number) => number);
}

/** Lays the layers on one another, the first at the bottom, on transparent ground. Edges are smoothed. */
export function paint(sizePx: number, layers: readonly Layer[]): Picture {
  const rgba = new Uint8Array(sizePx * sizePx * 4);
  for (let row = 0; row < sizePx; row += 1) {
    for (let column = 0; column < sizePx; column += 1) {
      const pixel = mix(layers, column + 0.5 - sizePx / 2, row + 0.5 - sizePx / 2);
      rgba.set(pixel, (row * sizePx + column) * 4);
    }
  }
  return { sizePx, rgba };
}

/** A pixel of the layers at its middle: each one over those below, in straight (not premultiplied) colour. */
function mix(layers: readonly Layer[], x: number, y: number): readonly number[] {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (const { shape, colour, opacity = 1 } of layers) {
    // An edge through the middle of a pixel covers half of it; half a pixel further, all or nothing.
    const covered = Math.min(1, Math.max(0, 0.5 - shape(x, y)));
    const over = covered * (typeof opacity === 'number' ? opacity : opacity(y));
    if (over === 0) continue;
    const [overRed, overGreen, overBlue] = typeof colour === 'function' ? colour(y) : colour;
    const sum = over + alpha * (1 - over);
    const share = over / sum;
    red += (overRed - red) * share;
    green += (overGreen - green) * share;
    blue += (overBlue - blue) * share;
    alpha = sum;
  }
  return [red, green, blue, alpha * 255].map(Math.round);
}
