import {
  type AppMark,
  goneOpacity,
  groundBottom,
  groundTop,
  markFullness,
  markUnits,
  sheenOpacity,
  smallMark,
  wholeMark,
} from './app-mark.ts';
import { type Colour, type Layer, paint, type Picture } from './picture.ts';
import { both, box, disc, either, onCircle, ring, type Shape, slice } from './shape.ts';

/** From here up the holes of the dial are apart. */
const wholeFromPx = 48;
/** On macOS an icon fills 824 of 1024 pixels, as its neighbours in the dock do (Apple's icon grid). */
const macShare = 824 / 1024;
const white: Colour = [255, 255, 255];

/** The icon of the app at a size; `mac` leaves the margin that macOS expects. */
export function drawAppIcon(sizePx: number, platform: 'mac' | 'elsewhere' = 'elsewhere'): Picture {
  const mark = sizePx < wholeFromPx ? smallMark : wholeMark;
  const groundShare = 1 - (2 * mark.ground.margin) / markUnits;
  const unitPx = (sizePx / markUnits) * (platform === 'mac' ? macShare / groundShare : 1);
  return paint(
    sizePx,
    layersOf(mark).map((layer) => enlarge(layer, unitPx)),
  );
}

function layersOf({ ground, ring: life, hub, holes }: AppMark): Layer[] {
  const edge = markUnits / 2 - ground.margin;
  const square = box({ left: -edge, top: -edge, width: 2 * edge, height: 2 * edge, corner: ground.corner });
  /** 0 at the top of the ground, 1 at its bottom. */
  const depth = (y: number): number => (y + edge) / (2 * edge);
  const circle = ring(life.radius, life.stroke);
  const left = either(
    both(circle, slice(0, markFullness)),
    disc(life.stroke / 2, onCircle(0, life.radius)),
    disc(life.stroke / 2, onCircle(markFullness, life.radius)),
  );
  const dial: Shape = either(disc(hub), ...holes.map(({ x, y, radius }) => disc(radius, { x, y })));
  return [
    { shape: square, colour: (y) => groundAt(depth(y)) },
    { shape: square, colour: white, opacity: (y) => sheenOpacity * Math.max(0, 1 - 2 * depth(y)) },
    { shape: circle, colour: white, opacity: goneOpacity },
    { shape: left, colour: white },
    { shape: dial, colour: white },
  ];
}

function groundAt(depth: number): Colour {
  const part = Math.min(1, Math.max(0, depth));
  const [red, green, blue] = groundTop.map((top, i) => top + ((groundBottom[i] ?? 0) - top) * part);
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** The same layer on a picture where a unit of the mark is so many pixels. */
function enlarge({ shape, colour, opacity = 1 }: Layer, unitPx: number): Layer {
  return {
    shape: (x, y) => shape(x / unitPx, y / unitPx) * unitPx,
    colour: typeof colour === 'function' ? (y) => colour(y / unitPx) : colour,
    opacity: typeof opacity === 'function' ? (y) => opacity(y / unitPx) : opacity,
  };
}
