import { type Box, isOnCurve, type Lane, type Spot } from './line-path.ts';

/** The distance between a line and its cards: to the right of where it starts, and to the left of where it ends. */
export interface Turns {
  readonly out: number;
  readonly in: number;
}

/** The distance between a lane and a card above or below it; findings are shown below a card. */
const above = 18;
const below = 34;
/** The distance between lanes, and how many lie side by side before the next one overlaps the last. */
const apart = 6;
const mostApart = 4;
/** An end that is hardly to the right of the start is reached like one on the left. */
const leastOn = 16;
/** A card that covers a corner of the line costs more than a long detour. */
const blocked = 2_000;

/**
 * Finds a path for each line of a picture, from the right edge of a card to the left edge of another.
 *
 * Lines must not run behind cards or on top of other lines, where they cannot be followed.
 */
// see decisions/designer-canvas.md
export class LaneFinder {
  readonly #boxes: readonly Box[];
  readonly #found: { readonly start: Spot; readonly end: Spot; readonly lane: Lane }[] = [];

  constructor(boxes: readonly Box[]) {
    this.#boxes = boxes;
  }

  /**
   * Null when a curve crosses no card; otherwise, and always when the line leads back, a lane around the cards. Of the
   * free lanes, the one with the shortest detour is used.
   */
  find(start: Spot, end: Spot, turns: Turns): Lane | null {
    const leadsOn = end.x >= start.x + leastOn;
    if (leadsOn && !this.#boxes.some((box) => isOnCurve(box, start, end))) return null;
    let lane: Lane | null = null;
    for (let shift = 0; shift < mostApart * apart; shift += apart) {
      const leave = start.x + turns.out + shift;
      const arrive = end.x - turns.in - shift;
      if (leadsOn && arrive < leave) break; // no room to turn between the two
      const next = { y: this.#heightFor({ start, end, leave, arrive }, shift), leave, arrive };
      lane = next;
      if (this.#found.every((other) => !runsOver(next, start, end, other))) break;
    }
    if (lane !== null) this.#found.push({ start, end, lane });
    return lane;
  }

  #heightFor(
    { start, end, leave, arrive }: { start: Spot; end: Spot; leave: number; arrive: number },
    shift: number,
  ): number {
    const [left, right] = [Math.min(leave, arrive), Math.max(leave, arrive)];
    const taken = merged(
      this.#boxes
        .filter((box) => box.x < right && box.x + box.width > left)
        .map(({ y, height }) => ({ from: y - above, to: y + height + below })),
    );
    const free = [start.y, end.y].filter((y) => taken.every(({ from, to }) => y <= from || y >= to));
    const edges = taken.flatMap(({ from, to }) => [from - shift, to + shift]);
    const lengthBy = (y: number): number =>
      Math.abs(y - start.y) +
      Math.abs(y - end.y) +
      blocked * (countOn(this.#boxes, leave, start.y, y) + countOn(this.#boxes, arrive, y, end.y));
    const [first = start.y, ...others] = [...free, ...edges];
    return others.reduce((best, other) => (lengthBy(other) < lengthBy(best) ? other : best), first);
  }
}

/** Whether a lane would overlap another one, so that the two lines could not be distinguished. */
function runsOver(
  { y, leave, arrive }: Lane,
  start: Spot,
  end: Spot,
  other: { readonly start: Spot; readonly end: Spot; readonly lane: Lane },
): boolean {
  const across =
    Math.abs(y - other.lane.y) < apart && overlap([leave, arrive], [other.lane.leave, other.lane.arrive]);
  const out =
    Math.abs(leave - other.lane.leave) < apart && overlap([start.y, y], [other.start.y, other.lane.y]);
  // Lines to the same end meet there.
  const into =
    (end.x !== other.end.x || end.y !== other.end.y) &&
    Math.abs(arrive - other.lane.arrive) < apart &&
    overlap([y, end.y], [other.lane.y, other.end.y]);
  return across || out || into;
}

function overlap([a, b]: readonly [number, number], [c, d]: readonly [number, number]): boolean {
  return Math.min(a, b) < Math.max(c, d) && Math.min(c, d) < Math.max(a, b);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The occupied heights, from the top, with overlapping ones merged. */
function merged(spans: readonly Span[]): readonly Span[] {
  const apartOnes: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = apartOnes.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else apartOnes.push({ from, to });
  }
  return apartOnes;
}

/** How many cards a line straight up or down would run behind. */
function countOn(boxes: readonly Box[], x: number, one: number, other: number): number {
  const [top, bottom] = [Math.min(one, other), Math.max(one, other)];
  return boxes.filter(
    (box) => box.x < x && box.x + box.width > x && box.y < bottom && box.y + box.height > top,
  ).length;
}
