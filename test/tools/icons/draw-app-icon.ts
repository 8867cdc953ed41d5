import {
  both,
  box,
  type Colour,
  disc,
  either,
  type Layer,
  onCircle,
  paint,
  type Picture,
  ring,
  type Shape,
  slice,
} from './shape.ts';

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

/** The whole mark as SVG, for windows and web pages: the same measures as the pictures. */
export function appIconSvg(): string {
  const { ground, ring, hub, holes } = wholeMark;
  const middle = markUnits / 2;
  const side = markUnits - 2 * ground.margin;
  const square = `x="${ground.margin}" y="${ground.margin}" width="${side}" height="${side}" rx="${ground.corner}"`;
  const circle = `cx="${middle}" cy="${middle}" r="${ring.radius}" fill="none" stroke="#ffffff"`;
  const around = 2 * Math.PI * ring.radius;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${markUnits} ${markUnits}">
  <defs>
    <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${hex(groundTop)}" />
      <stop offset="1" stop-color="${hex(groundBottom)}" />
    </linearGradient>
    <linearGradient id="sheen" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#ffffff" stop-opacity="${sheenOpacity}" />
      <stop offset="0.5" stop-color="#ffffff" stop-opacity="0" />
    </linearGradient>
  </defs>
  <rect ${square} fill="url(#ground)" />
  <rect ${square} fill="url(#sheen)" />
  <circle ${circle} stroke-opacity="${goneOpacity}" stroke-width="${ring.stroke}" />
  <circle ${circle} stroke-width="${ring.stroke}" stroke-linecap="round" stroke-dasharray="${(around * markFullness).toFixed(0)} ${around.toFixed(0)}" transform="rotate(-90 ${middle} ${middle})" />
  <g fill="#ffffff">
${holes.map(({ x, y, radius }) => `    <circle cx="${(middle + x).toFixed(1)}" cy="${(middle + y).toFixed(1)}" r="${radius}" />\n`).join('')}    <circle cx="${middle}" cy="${middle}" r="${hub}" />
  </g>
</svg>
`;
}

function hex(colour: readonly number[]): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The mark of the app: the dial of a telephone in a ring of life, on a blue ground. Measures in 1/512 of the picture.
 *
 * Two drawings of it. The whole one is for 48 pixels and up. Below that its holes would run into one another, so the
 * small one leaves them out and draws the rest heavier, on the pixels of a 16 x 16 grid (32 units are one of them).
 */
export interface AppMark {
  /** The rounded square that all stands on. */
  readonly ground: { readonly margin: number; readonly corner: number };
  /** `radius` is the middle of the stroke. */
  readonly ring: { readonly radius: number; readonly stroke: number };
  readonly hub: number;
  readonly holes: readonly { readonly x: number; readonly y: number; readonly radius: number }[];
}

export const markUnits = 512;

const orbit = 98;
const holeTurns = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((hole) => hole / 12);

export const wholeMark: AppMark = {
  ground: { margin: 16, corner: 112 },
  ring: { radius: 172, stroke: 36 },
  hub: 36,
  holes: holeTurns.map((turn) => ({
    x: orbit * Math.sin(2 * Math.PI * turn),
    y: -orbit * Math.cos(2 * Math.PI * turn),
    radius: 18,
  })),
};

export const smallMark: AppMark = {
  ground: { margin: 0, corner: 112 },
  ring: { radius: 160, stroke: 64 },
  hub: 64,
  holes: [],
};

/** How much of the ring is left, from 12 o'clock on; the rest shows faintly. */
export const markFullness = 0.72;
export const goneOpacity = 0.22;
/** The ground's colour at its top and bottom, and how strongly light falls on it from above, down to the middle. */
export const groundTop = [91, 99, 230] as const;
export const groundBottom = [47, 53, 143] as const;
export const sheenOpacity = 0.18;
