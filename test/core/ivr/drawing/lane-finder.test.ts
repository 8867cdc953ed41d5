import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LaneFinder } from '../../../../src/core/ivr/drawing/lane-finder.ts';
import { type Box, type Lane, linePath, type Spot } from '../../../../src/core/ivr/drawing/line-path.ts';

const turns = { out: 28, in: 22 };
const start = { x: 0, y: 0 };
const end = { x: 600, y: 0 };

describe('a line to the right', () => {
  test('is a curve if nothing is in its way', () => {
    expect(laneOf(start, end, [])).toBeNull();
    expect(laneOf(start, end, [{ x: 200, y: 20, width: 100, height: 50 }])).toBeNull();
    expect(linePath(start, end, null)).toBe('M0 0C300 0 300 0 600 0');
  });

  test('leads around a card in its way, on the shorter side', () => {
    const low = { x: 200, y: -100, width: 100, height: 120 };
    expect(laneOf(start, end, [low])).toEqual({ y: 54, leave: 28, arrive: 578 });
    const high = { x: 200, y: -20, width: 100, height: 120 };
    expect(laneOf(start, end, [high])).toEqual({ y: -38, leave: 28, arrive: 578 });
  });

  test('is not disturbed by the cards that it connects', () => {
    const cards = [
      { x: -300, y: -100, width: 300, height: 200 },
      { x: 606, y: -24, width: 300, height: 200 },
    ];
    expect(laneOf(start, end, cards)).toBeNull();
  });

  test('stays a curve where there is no room to turn', () => {
    const near = { x: 40, y: 200 };
    expect(laneOf(start, near, [{ x: 10, y: 50, width: 20, height: 100 }])).toBeNull();
  });

  test('runs over another rather than behind a card, where there is no room beside it', () => {
    const near = { x: 56, y: 200 };
    const between = [{ x: 20, y: 50, width: 20, height: 100 }];
    const lanes = new LaneFinder(between);
    const first = lanes.find(start, near, turns);
    expect(first).not.toBeNull();
    expect(lanes.find(start, { x: 56, y: 202 }, turns)?.leave).toBe(first?.leave);
  });

  test('does not turn behind a card directly beside its start', () => {
    const beside = { x: 20, y: 30, width: 200, height: 500 };
    const inWay = { x: 300, y: -60, width: 100, height: 90 };
    // The shorter way, below the card in its way, would begin behind the one beside it.
    expect(laneOf(start, end, [beside, inWay])?.y).toBe(-78);
  });
});

describe('a line that leads back', () => {
  const left = { x: -800, y: 0, width: 300, height: 300 };
  const right = { x: -300, y: -50, width: 300, height: 300 };
  const back = { x: -806, y: 24 };

  test('leads around the cards at its ends and those between', () => {
    expect(laneOf(start, back, [left, right])).toEqual({ y: -68, leave: 28, arrive: -828 });
    const between = { x: -450, y: -90, width: 100, height: 60 };
    expect(laneOf(start, back, [left, between, right])?.y).toBe(-108);
  });

  test('runs a little apart from those before it, until there are too many', () => {
    const lanes = new LaneFinder([left, right]);
    const found = [0, 30, 60, 90, 120].map((y) => lanes.find({ x: 0, y: y / 10 }, back, turns));
    expect(found.map((lane) => lane?.y)).toEqual([-68, -74, -80, -86, -86]);
    expect(found.map((lane) => lane?.leave)).toEqual([28, 34, 40, 46, 46]);
  });

  test('may end where another ends', () => {
    const lanes = new LaneFinder([left, right]);
    lanes.find(start, back, turns);
    const elsewhere = { x: -400, y: -400 };
    expect(lanes.find(elsewhere, back, turns)?.arrive).toBe(-828);
  });

  test('has round corners', () => {
    const path = linePath(start, back, { y: -68, leave: 28, arrive: -828 });
    expect(path).toBe(
      'M0 0L14 0Q28 0 28 -14L28 -54Q28 -68 14 -68L-814 -68Q-828 -68 -828 -54L-828 10Q-828 24 -817 24L-806 24',
    );
  });
});

describe('wherever cards stand', () => {
  const place = fc.integer({ min: -2_000, max: 2_000 });
  const box = fc.record<Box>({
    x: place,
    y: place,
    width: fc.integer({ min: 100, max: 320 }),
    height: fc.integer({ min: 50, max: 500 }),
  });
  const spot = fc.record<Spot>({ x: place, y: place });

  test('a lane runs across behind no card', () => {
    fc.assert(
      fc.property(spot, spot, fc.array(box, { maxLength: 40 }), (from, to, boxes) => {
        const lane = laneOf(from, to, boxes);
        if (lane === null) return;
        expect(boxes.filter((one) => isAcross(one, lane))).toEqual([]);
      }),
    );
  });

  test('what leads back has a lane, and what is null leads on', () => {
    fc.assert(
      fc.property(spot, spot, fc.array(box, { maxLength: 40 }), (from, to, boxes) => {
        if (to.x < from.x) expect(laneOf(from, to, boxes)).not.toBeNull();
      }),
    );
  });
});

function laneOf(from: Spot, to: Spot, boxes: readonly Box[]): Lane | null {
  return new LaneFinder(boxes).find(from, to, turns);
}

function isAcross({ x, y, width, height }: Box, lane: Lane): boolean {
  const [left, right] = [Math.min(lane.leave, lane.arrive), Math.max(lane.leave, lane.arrive)];
  return x < right && x + width > left && y < lane.y && y + height > lane.y;
}
