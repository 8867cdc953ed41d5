import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifelineRow } from '../../../src/contract/window/lifeline.ts';
import { drawRow } from '../../../src/renderer/overview/lifeline/row-drawing.ts';
import { credentialRow, day, familyRow, livesOf, noon } from './rows.ts';

/** A scale of so many pixels a day, with noon at 1,000. */
function draw(row: LifelineRow, dayPx = 100, unit = 1, within = { fromX: -Infinity, untilX: Infinity }) {
  return drawRow(row, noon, { xOf: (seconds) => 1000 + ((seconds - noon) / day) * dayPx, unit, within });
}

/** Where the shapes of some paths begin; of a hollow one, once. */
function startsOf(paths: string | readonly string[]): number[] {
  const starts = [paths]
    .flat()
    .join('')
    .matchAll(/M(-?[\d.]+) /g);
  return [...new Set(Array.from(starts, ([, x]) => Number(x)))];
}

describe('the drawing of a row', () => {
  it('has one bar for each token, the current one divided where now is, and its end', () => {
    const { ended, lived, left, expiry } = draw(credentialRow());
    expect(startsOf(ended.superseded)).toHaveLength(1);
    expect(startsOf(lived)[0]).toBeCloseTo(800 + 3.1, 1); // its corner
    expect(startsOf(left)).toEqual([1000]);
    expect(startsOf(expiry)).toEqual([1499]);
  });

  it('goes on with a token that works beside the next one, above its bar', () => {
    const generations: LifelineRow['generations'] = [
      [noon - 3 * day, noon + day / 2, 'superseded'],
      [noon - day, noon + 5 * day, 'present'],
    ];
    const { ended, lived } = draw(credentialRow({ generations }));
    const [first, strip] = startsOf(ended.superseded);
    expect(startsOf(ended.superseded)).toHaveLength(2);
    expect(Math.floor((first ?? 0) / 10)).toBe(70);
    expect(Math.floor((strip ?? 0) / 10)).toBe(90);
    expect(Math.floor((startsOf(lived)[0] ?? 0) / 10)).toBe(90);
    const alone = draw(
      credentialRow({ generations: [[noon - 3 * day, noon - day, 'superseded'], generations[1]!] }),
    );
    expect(startsOf(alone.ended.superseded)).toHaveLength(1);
  });

  it.each([
    ['expired', 'expired'],
    ['blacklisted', 'blacklisted'],
    ['replaced', 'replaced'],
  ] as const)('marks a token that was %s at its end too, not by its colour alone', (end, cap) => {
    const drawing = draw(familyRow({ status: 'Expired', generations: [[noon - 3 * day, noon - day, end]] }));
    expect(startsOf(drawing.ended[end])).toHaveLength(1);
    expect(drawing.caps[cap]).toHaveLength(1);
    expect([drawing.lived, drawing.left, drawing.expiry]).toEqual(['', '', '']);
  });

  it('shows a token however short its lifetime was', () => {
    const { ended } = draw(familyRow({ generations: [[noon - day, noon - day + 1, 'expired']] }));
    expect(ended.expired).toHaveLength(1);
  });

  it('draws lives that would be too narrow as a texture that stands on its own grid', () => {
    const { ended } = draw(credentialRow({ generations: livesOf(90, 1) }), 2);
    const strokes = startsOf(ended.superseded);
    expect(strokes.length).toBeGreaterThan(30);
    for (const [place, x] of strokes.slice(1).entries()) expect(x - strokes[place]!).toBeCloseTo(4, 5);
    const later = draw(credentialRow({ generations: livesOf(90, 1).slice(1) }), 2);
    expect(strokes).toEqual(expect.arrayContaining(startsOf(later.ended.superseded)));
  });

  it('marks the next rotation, and those after it as diamonds where there is room', () => {
    const { next, planned, plannedLook } = draw(credentialRow());
    expect([startsOf(next), startsOf(planned), plannedLook]).toEqual([[1300], [1800, 2300], 'diamonds']);
  });

  it('keeps many planned rotations apart, whatever the scale', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 200, noNaN: true }),
        fc.double({ min: 0.01, max: 60, noNaN: true }),
        fc.constantFrom(1, 1.25, 1.5),
        (dayPx, everyDays, unit) => {
          const planned = Array.from({ length: 150 }, (_, place) =>
            Math.floor(noon + place * everyDays * day),
          );
          const drawing = draw(credentialRow({ planned }), dayPx, unit);
          const marks = startsOf(drawing.planned);
          expect(startsOf(drawing.next)).toHaveLength(1);
          for (const [place, x] of marks.slice(1).entries())
            expect(x - marks[place]!).toBeGreaterThanOrEqual(5 * unit - 0.2);
          if (everyDays * dayPx >= 15 * unit) expect(marks).toHaveLength(149);
        },
      ),
    );
  });

  it('has no plan for a family, and none while nothing is planned', () => {
    expect(draw(familyRow())).toMatchObject({ next: '', planned: [] });
    expect(draw(credentialRow({ planned: [] }))).toMatchObject({ next: '', planned: [] });
  });

  it('leaves out what is far out of sight, and nothing comes or goes within it', () => {
    const planned = Array.from({ length: 90 }, (_, place) => noon + place * day);
    const row = credentialRow({ generations: livesOf(90, 1), planned });
    for (const dayPx of [3, 20]) {
      const whole = draw(row, dayPx);
      for (const fromX of [0, 700, 1100, 1400]) {
        const within = { fromX, untilX: fromX + 300 };
        const part = draw(row, dayPx, 1, within);
        for (const path of ['superseded', 'planned'] as const) {
          const [some, all] = [part, whole].map((one) =>
            startsOf(path === 'planned' ? one.planned : one.ended.superseded),
          );
          const isIn = (x: number): boolean => x >= within.fromX && x <= within.untilX;
          expect(some!.filter(isIn)).toEqual(all!.filter(isIn));
          expect(some!.length, 'and little more').toBeLessThanOrEqual(all!.filter(isIn).length + 4);
        }
      }
    }
  });

  it('grows with the letters', () => {
    expect(draw(credentialRow(), 100, 1.5).next).toMatch(/^M1300 12l9 9/);
  });
});
