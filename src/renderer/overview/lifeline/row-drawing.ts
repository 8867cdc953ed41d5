import type { LifeEnd, LifelineRow } from '../../../contract/window/lifeline.ts';

/** How high a row's drawing is, in units: pixels at a root size of 16. */
export const trackHeight = 28;
const middle = trackHeight / 2;
const barTop = 7;
const barHeight = 14;
/** A token that works beside the next one goes on as a strip above its bar. */
const stripTop = 2.5;
const stripHeight = 3;

/** A gap between two bars, so that they can be told apart without their colour. */
const gap = 1.5;
/** Narrower bars are none any more: a run of them becomes a texture of strokes this far apart. */
const narrowest = 3;
const strokePitch = 4;
/** Rotations that are planned closer than this are strokes instead of diamonds, and never closer than the other. */
const diamondPitch = 14;
const planPitch = 5;

type Paths = readonly string[];

/** A row as paths: a few for each look, however many lives it has. */
export interface RowDrawing {
  /** The bars of what ended, by how. */
  readonly ended: Readonly<Record<Exclude<LifeEnd, 'present'>, Paths>>;
  /** What stands at their ends. */
  readonly caps: Readonly<Record<'expired' | 'blacklisted' | 'replaced', Paths>>;
  /** Of the current token: what is lived, and what is left. */
  readonly lived: string;
  readonly left: string;
  /** Where the current token expires. */
  readonly expiry: string;
  /** The next rotation, and those after it. */
  readonly next: string;
  readonly planned: Paths;
  readonly plannedLook: 'diamonds' | 'strokes';
}

export interface Drawing {
  /** Places an instant, in seconds since the epoch. */
  readonly xOf: (seconds: number) => number;
  /** How many pixels a unit is: drawings grow with the letters. */
  readonly unit: number;
  /** From where to where it is drawn, in pixels: what is far out of sight would only cost. */
  readonly within: Stretch;
}

export interface Stretch {
  readonly fromX: number;
  readonly untilX: number;
}

/** Marks and caps reach so far beyond their instant, in units. */
const reach = 12;

/** Draws a row as it is at an instant, in seconds since the epoch. */
export function drawRow(row: LifelineRow, nowSeconds: number, drawing: Drawing): RowDrawing {
  const { xOf, unit, within } = drawing;
  const bars = { top: barTop * unit, height: barHeight * unit };
  const bar = (fromX: number, untilX: number, round: 'left' | 'right' | 'both' = 'both'): string =>
    untilX <= fromX ? '' : roundedBar(fromX, { ...bars, width: untilX - fromX, round });
  const line = (x: number, beyond: number): string =>
    upright(x, { top: (barTop - beyond) * unit, height: (barHeight + 2 * beyond) * unit });

  const ended = {
    superseded: new PathPieces(),
    expired: new PathPieces(),
    blacklisted: new PathPieces(),
    replaced: new PathPieces(),
  };
  const caps = { expired: new PathPieces(), blacklisted: new PathPieces(), replaced: new PathPieces() };
  let [lived, left, expiry] = ['', '', ''];
  for (const { fromX, aloneUntilX, untilX, end, isTexture } of barsOf(row, drawing)) {
    if (untilX < within.fromX - reach * unit || fromX > within.untilX) continue;
    if (isTexture) {
      const seen = { fromX: Math.max(fromX, within.fromX), untilX: Math.min(untilX, within.untilX) };
      drawStrokes(ended.superseded, seen, { ...bars, pitch: strokePitch * unit });
    } else if (end === 'present') {
      const nowX = Math.max(fromX, Math.min(xOf(nowSeconds), untilX));
      lived = bar(fromX, nowX, nowX < untilX ? 'left' : 'both');
      left = bar(nowX, untilX, nowX > fromX ? 'right' : 'both');
      expiry = line(untilX, 5);
    } else {
      // However short it was, something of it is to be seen.
      ended[end].add(fromX, bar(fromX, Math.max(aloneUntilX - gap * unit, fromX + 1)));
      if (untilX > aloneUntilX) {
        const strip = { top: stripTop * unit, height: stripHeight * unit, width: untilX - aloneUntilX };
        ended[end].add(aloneUntilX, roundedBar(aloneUntilX, { ...strip, round: 'both' }));
      }
      if (end === 'expired') caps.expired.add(untilX, line(untilX, 3));
      if (end === 'blacklisted')
        caps.blacklisted.add(untilX, xMark(untilX + 5 * unit, middle * unit, 4 * unit));
      if (end === 'replaced') caps.replaced.add(untilX, hollowSquare(untilX, middle * unit, 6 * unit));
    }
  }
  const plan = drawPlan(row.kind === 'credential' ? row.planned : [], drawing);
  return {
    ended: {
      superseded: ended.superseded.all,
      expired: ended.expired.all,
      blacklisted: ended.blacklisted.all,
      replaced: ended.replaced.all,
    },
    caps: { expired: caps.expired.all, blacklisted: caps.blacklisted.all, replaced: caps.replaced.all },
    lived,
    left,
    expiry,
    ...plan,
  };
}

interface Bar extends Stretch {
  readonly end: LifeEnd;
  /** Where the next one begins, if that is before the end. */
  readonly aloneUntilX: number;
  /** A run of lives that are too narrow to be told apart. */
  readonly isTexture: boolean;
}

function barsOf({ generations }: LifelineRow, { xOf, unit }: Drawing): Bar[] {
  const bars: Bar[] = [];
  for (const [place, [from, until, end]] of generations.entries()) {
    const [fromX, untilX] = [xOf(from), xOf(until)];
    const aloneUntilX = xOf(Math.max(from, Math.min(until, generations[place + 1]?.[0] ?? until)));
    const isTexture = end === 'superseded' && untilX - fromX < (narrowest + gap) * unit;
    const last = bars.at(-1);
    if (isTexture && last?.isTexture === true) bars[bars.length - 1] = { ...last, untilX };
    else bars.push({ fromX, aloneUntilX, untilX, end, isTexture });
  }
  return bars;
}

/** Strokes at even distances: a stretch of many short lives. */
function drawStrokes(
  pieces: PathPieces,
  { fromX, untilX }: Stretch,
  { pitch, ...place }: { readonly top: number; readonly height: number; readonly pitch: number },
): void {
  // On a grid that does not depend on where the stretch begins: it stands still while lives are added.
  const firstX = Math.ceil(fromX / pitch) * pitch;
  if (firstX >= untilX) pieces.add(fromX, upright(fromX, place));
  for (let x = firstX; x < untilX; x += pitch) pieces.add(x, upright(x, place));
}

function drawPlan(
  planned: readonly number[],
  { xOf, unit, within }: Drawing,
): Pick<RowDrawing, 'next' | 'planned' | 'plannedLook'> {
  const [first, ...later] = planned;
  if (first === undefined) return { next: '', planned: [], plannedLook: 'diamonds' };
  const y = middle * unit;
  const firstX = xOf(first);
  const pitch = (xOf(later.at(-1) ?? first) - firstX) / later.length || Infinity;
  const plannedLook = pitch < diamondPitch * unit ? 'strokes' : 'diamonds';
  const marks = new PathPieces();
  let lastX = firstX;
  for (const x of later.map(xOf)) {
    // Whether it is drawn depends on those before it, also on those out of sight: none comes and goes by scrolling.
    if (x - lastX < planPitch * unit) continue;
    lastX = x;
    if (x < within.fromX - reach * unit || x > within.untilX + reach * unit) continue;
    const mark =
      plannedLook === 'diamonds'
        ? hollowDiamond(x, y, 4 * unit, 2 * unit)
        : upright(x, { top: y - 4 * unit, height: 8 * unit });
    marks.add(x, mark);
  }
  return { next: diamond(firstX, y, 6 * unit), planned: marks.all, plannedLook };
}

/** How long a piece is, in pixels: about one of the tiles that a browser paints at a time. */
const piecePx = 256;

/**
 * A path in pieces, from left to right.
 *
 * Of one path with hundreds of bars a browser looks at every bar for every tile of the screen that it paints; of a
 * path in pieces only at those that lie in the tile. Painting while time is scrolled took three quarters as long.
 */
class PathPieces {
  readonly #pieces: string[] = [];
  #endX = -Infinity;

  /** Adds a shape that lies at `x` or right of it. They come in order. */
  add(x: number, shape: string): void {
    if (shape === '') return;
    const last = this.#pieces.length - 1;
    if (x >= this.#endX) {
      this.#pieces.push(shape);
      this.#endX = x + piecePx;
    } else {
      this.#pieces[last] = `${this.#pieces[last] ?? ''}${shape}`;
    }
  }

  get all(): readonly string[] {
    return this.#pieces;
  }
}

/** Shapes as parts of an SVG path, in pixels, to a tenth of one. */

interface Upright {
  readonly top: number;
  readonly height: number;
}

/** The corners of a bar, as a share of its height. */
const cornerShare = 0.22;
/** Bars that are not this much longer than high have straight cuts for corners: they look the same and paint sooner. */
const roundShare = 1.5;
const cutShare = 0.12;
const strokePx = 2;

/** A bar with round corners, or with those of one end only, where it goes on in another bar. */
export function roundedBar(
  x: number,
  {
    width,
    top,
    height,
    round = 'both',
  }: Upright & { readonly width: number; readonly round?: 'both' | 'left' | 'right' },
): string {
  const isRound = width > height * roundShare;
  const r = Math.min(height * (isRound ? cornerShare : cutShare), width / (round === 'both' ? 2 : 1));
  const corner = (dx: number, dy: number): string =>
    isRound ? `a${px(r)} ${px(r)} 0 0 1 ${px(dx)} ${px(dy)}` : `l${px(dx)} ${px(dy)}`;
  const [left, right] = [round !== 'right', round !== 'left'];
  const [w, h] = [width - (left ? r : 0) - (right ? r : 0), height - 2 * r];
  const start = `M${px(x + (left ? r : 0))} ${px(top)}h${px(w)}`;
  const rightSide = right ? `${corner(r, r)}v${px(h)}${corner(-r, r)}` : `v${px(height)}`;
  const leftSide = left ? `${corner(-r, -r)}v${px(-h)}${corner(r, -r)}` : '';
  return `${start}${rightSide}h${px(-w)}${leftSide}z`;
}

/** One stroke. */
export function upright(x: number, { top, height }: Upright): string {
  return `M${px(x - strokePx / 2)} ${px(top)}h${strokePx}v${px(height)}h-${strokePx}z`;
}

export function diamond(x: number, y: number, r: number): string {
  const side = px(r);
  return `M${px(x)} ${px(y - r)}l${side} ${side}-${side} ${side}-${side}-${side}z`;
}

/** Its edge alone, as a filled shape: to have a hundred edges drawn as lines was measured to take three times as long. */
export function hollowDiamond(x: number, y: number, r: number, edge: number): string {
  return diamond(x, y, r + edge / 2) + diamond(x, y, r - edge / 2);
}

export function xMark(x: number, y: number, r: number): string {
  const [side, whole] = [px(r), px(2 * r)];
  return `M${px(x - Number(side))} ${px(y - r)}l${whole} ${whole}m0-${whole}-${whole} ${whole}`;
}

export function hollowSquare(x: number, y: number, side: number): string {
  return `M${px(x - side / 2)} ${px(y - side / 2)}h${px(side)}v${px(side)}h${px(-side)}z`;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
