import type { LifeEnd, LifelineRow } from '../../../contract/lifeline.ts';
import { diamond, hollowSquare, roundedBar, strokes, upright, xMark } from './shapes.ts';

/** How high a row's drawing is, in units: pixels at a root size of 16. */
export const trackHeight = 28;
const middle = trackHeight / 2;
const barTop = 7;
const barHeight = 14;

/** A gap between two bars, so that they can be told apart without their colour. */
const gap = 1.5;
/** Narrower bars are none any more: a run of them becomes a texture of strokes this far apart. */
const narrowest = 3;
const strokePitch = 4;
/** Rotations that are planned closer than this are strokes instead of diamonds, and never closer than the other. */
const diamondPitch = 14;
const planPitch = 5;

/** A row as paths: one for each look, however many lives it has. */
export interface RowDrawing {
  /** The bars of what ended, by how. */
  readonly ended: Readonly<Record<Exclude<LifeEnd, 'present'>, string>>;
  /** What stands at their ends. */
  readonly caps: Readonly<Record<'expired' | 'blacklisted' | 'replaced', string>>;
  /** Of the present value: what is lived, and what is left. */
  readonly lived: string;
  readonly left: string;
  /** Where the present value expires. */
  readonly expiry: string;
  /** The next rotation, and those after it. */
  readonly next: string;
  readonly planned: string;
  readonly plannedLook: 'diamonds' | 'strokes';
}

export interface Drawing {
  /** Places an instant, in seconds since the epoch. */
  readonly xOf: (seconds: number) => number;
  /** How many pixels a unit is: drawings grow with the letters. */
  readonly unit: number;
}

/** Draws a row as it is at an instant, in seconds since the epoch. */
export function drawRow(row: LifelineRow, nowSeconds: number, { xOf, unit }: Drawing): RowDrawing {
  const bars = { top: barTop * unit, height: barHeight * unit };
  const bar = (fromX: number, untilX: number, round: 'left' | 'right' | 'both' = 'both'): string =>
    // However short it was, something of it is to be seen.
    untilX <= fromX ? '' : roundedBar(fromX, { ...bars, width: Math.max(untilX - fromX, 1), round });
  const line = (x: number, beyond: number): string =>
    upright(x, { top: (barTop - beyond) * unit, height: (barHeight + 2 * beyond) * unit });

  const ended = { superseded: '', expired: '', blacklisted: '', replaced: '' };
  const caps = { expired: '', blacklisted: '', replaced: '' };
  let [lived, left, expiry] = ['', '', ''];
  let run: { readonly fromX: number; untilX: number } | null = null;
  const closeRun = (): void => {
    if (run !== null)
      ended.superseded += strokes(run.fromX, run.untilX, { ...bars, pitch: strokePitch * unit });
    run = null;
  };
  for (const [from, until, end] of row.generations) {
    const [fromX, untilX] = [xOf(from), xOf(until)];
    if (end === 'superseded' && untilX - fromX < (narrowest + gap) * unit) {
      run ??= { fromX, untilX };
      run.untilX = untilX;
      continue;
    }
    closeRun();
    if (end === 'present') {
      const nowX = Math.max(fromX, Math.min(xOf(nowSeconds), untilX));
      lived = bar(fromX, nowX, nowX < untilX ? 'left' : 'both');
      left = bar(nowX, untilX, nowX > fromX ? 'right' : 'both');
      expiry = line(untilX, 5);
      continue;
    }
    ended[end] += bar(fromX, untilX - gap * unit);
    if (end === 'expired') caps.expired += line(untilX, 3);
    if (end === 'blacklisted') caps.blacklisted += xMark(untilX + 5 * unit, middle * unit, 4 * unit);
    if (end === 'replaced') caps.replaced += hollowSquare(untilX, middle * unit, 6 * unit);
  }
  closeRun();
  const plan = drawPlan(row.kind === 'credential' ? row.planned : [], { xOf, unit });
  return { ended, caps, lived, left, expiry, ...plan };
}

function drawPlan(
  planned: readonly number[],
  { xOf, unit }: Drawing,
): Pick<RowDrawing, 'next' | 'planned' | 'plannedLook'> {
  const [first, ...later] = planned;
  if (first === undefined) return { next: '', planned: '', plannedLook: 'diamonds' };
  const y = middle * unit;
  const firstX = xOf(first);
  const pitch = (xOf(later.at(-1) ?? first) - firstX) / later.length || Infinity;
  const plannedLook = pitch < diamondPitch * unit ? 'strokes' : 'diamonds';
  let path = '';
  let lastX = firstX;
  for (const x of later.map(xOf)) {
    if (x - lastX < planPitch * unit) continue;
    path +=
      plannedLook === 'diamonds'
        ? diamond(x, y, 4 * unit)
        : upright(x, { top: y - 4 * unit, height: 8 * unit });
    lastX = x;
  }
  return { next: diamond(firstX, y, 6 * unit), planned: path, plannedLook };
}
