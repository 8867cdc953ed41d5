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
