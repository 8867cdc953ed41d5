import {
  fullRing,
  ringStep,
  type TrayIcon,
  type TrayState,
  type TrayTheme,
} from '../../../src/main/tray/tray-icon-name.ts';
import {
  type Colour,
  paint,
  type Picture,
  both,
  box,
  disc,
  either,
  outside,
  ring,
  type Shape,
  slice,
} from './shape.ts';

/** The measures of one size, in its pixels: chosen for its grid, not scaled, so that straight edges stay crisp. */
interface Grid {
  /** Outer edge of the ring. */
  readonly radius: number;
  readonly stroke: number;
  /** Radius of the dot of `due`. */
  readonly dot: number;
  /** Exclamation mark of `failing`: its width, the height of its stem, the gap above its square point. */
  readonly mark: { readonly width: number; readonly stem: number; readonly gap: number };
  /** The two bars of `paused`. */
  readonly bars: { readonly width: number; readonly height: number; readonly gap: number };
}

const narrow: Grid = {
  radius: 8,
  stroke: 2,
  dot: 3,
  mark: { width: 2, stem: 5, gap: 1 },
  bars: { width: 2, height: 6, gap: 2 },
};
const wide: Grid = {
  radius: 10,
  stroke: 2.5,
  dot: 3.5,
  mark: { width: 2, stem: 6, gap: 2 },
  bars: { width: 3, height: 8, gap: 2 },
};
const widest: Grid = { ...wide, radius: 11, dot: 4, mark: { width: 2, stem: 7, gap: 1 } };
/** By the size of the picture. Windows leaves room around an icon itself; macOS and Linux want a margin in it. */
const grids: Readonly<Record<number, Grid>> = { 16: narrow, 18: narrow, 20: wide, 22: wide, 24: widest };

/** How much of its colour the gone part of the ring keeps: enough to see that there is one. */
const goneOpacity = 0.3;
const dashCount = 8;
const dashShare = 0.6;

/** `light` has to be seen on a dark panel, `dark` on a light one, `coloured` on both; of a template macOS takes the shape only. */
export const trayColours: Readonly<Record<TrayTheme, Readonly<Record<TrayState, Colour>>>> = {
  template: { idle: [0, 0, 0], fine: [0, 0, 0], due: [0, 0, 0], failing: [0, 0, 0], paused: [0, 0, 0] },
  light: {
    idle: [176, 180, 192],
    fine: [244, 245, 248],
    due: [255, 184, 51],
    failing: [255, 112, 99],
    paused: [176, 180, 192],
  },
  dark: {
    idle: [98, 102, 114],
    fine: [40, 42, 50],
    due: [174, 80, 8],
    failing: [200, 30, 40],
    paused: [98, 102, 114],
  },
  coloured: {
    idle: [122, 127, 139],
    fine: [38, 142, 84],
    due: [196, 104, 0],
    failing: [222, 64, 60],
    paused: [122, 127, 139],
  },
};

/**
 * The tray's picture for a state and the life that is left.
 *
 * A `scale` of 2 gives the same drawing on a grid twice as fine, so that halving it gives the crisp small one again.
 */
export function drawTrayIcon(
  { state, fullness }: TrayIcon,
  theme: TrayTheme,
  { gridPx, scale }: { gridPx: number; scale: number },
): Picture {
  const grid = grids[gridPx];
  if (grid === undefined) throw new Error(`No grid for a tray icon of ${gridPx} px: add one to the table.`);
  const colour = trayColours[theme][state];
  const layers =
    state === 'idle' ? [{ shape: dashed(circle(grid)) }] : gauge(state, ringStep(fullness), grid);
  return paint(
    gridPx * scale,
    layers.map(({ shape, opacity = 1 }) => ({
      shape: (x: number, y: number) => shape(x / scale, y / scale) * scale,
      colour,
      opacity,
    })),
  );
}

/** What is left of the ring, faintly what is gone, and the sign of the state. The gap grows clockwise from 12 o'clock. */
function gauge(
  state: Exclude<TrayState, 'idle'>,
  step: number,
  grid: Grid,
): { shape: Shape; opacity?: number }[] {
  const life = slice(1 - step / fullRing, 1);
  const signs = state === 'fine' ? [] : [{ shape: sign(state, grid) }];
  if (step === fullRing) return [{ shape: circle(grid) }, ...signs];
  if (step === 0) return [{ shape: circle(grid), opacity: goneOpacity }, ...signs];
  return [
    { shape: both(circle(grid), life) },
    { shape: both(circle(grid), outside(life)), opacity: goneOpacity },
    ...signs,
  ];
}

function circle({ radius, stroke }: Grid): Shape {
  return ring(radius - stroke / 2, stroke);
}

/** What stands in the middle of the ring. */
function sign(state: 'due' | 'failing' | 'paused', { dot, mark, bars }: Grid): Shape {
  switch (state) {
    case 'due':
      return disc(dot);
    case 'failing': {
      const { width, stem, gap } = mark;
      const top = -(stem + gap + width) / 2;
      return either(
        box({ left: -width / 2, top, width, height: stem }),
        box({ left: -width / 2, top: top + stem + gap, width, height: width }),
      );
    }
    case 'paused': {
      const { width, height, gap } = bars;
      const top = -height / 2;
      return either(
        box({ left: -gap / 2 - width, top, width, height }),
        box({ left: gap / 2, top, width, height }),
      );
    }
  }
}

/** No life to show: the ring is sketched in dashes, there to be filled. */
function dashed(line: Shape): Shape {
  const dashes = Array.from({ length: dashCount }, (_, i) =>
    slice((i - dashShare / 2) / dashCount, (i + dashShare / 2) / dashCount),
  );
  return both(line, either(...dashes));
}
