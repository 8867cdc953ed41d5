import type { Shape } from './shape.ts';

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
