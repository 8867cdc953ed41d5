import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitBounds, type Rectangle } from '../../../src/main/windows/fit-bounds.ts';

/** A main screen with a panel at the top, one to its left, one above it. */
const main = { x: 0, y: 32, width: 1920, height: 1048 };
const left = { x: -1280, y: 0, width: 1280, height: 1024 };
const above = { x: 0, y: -1440, width: 2560, height: 1440 };

describe('where a window opens', () => {
  const table: [name: string, was: Rectangle, screens: Rectangle[], is: Rectangle][] = [
    [
      'as it was left',
      { x: 100, y: 100, width: 800, height: 600 },
      [main],
      { x: 100, y: 100, width: 800, height: 600 },
    ],
    [
      'on another screen, as it was left',
      { x: -900, y: 50, width: 700, height: 500 },
      [main, left],
      { x: -900, y: 50, width: 700, height: 500 },
    ],
    [
      'above the main screen, as it was left',
      { x: 20, y: -1400, width: 700, height: 500 },
      [main, left, above],
      { x: 20, y: -1400, width: 700, height: 500 },
    ],
    [
      'in the middle of the main screen when its own is gone',
      { x: -900, y: 50, width: 800, height: 500 },
      [main],
      { x: 560, y: 306, width: 800, height: 500 },
    ],
    [
      'in the middle when it lies nowhere',
      { x: 90_000, y: 90_000, width: 800, height: 500 },
      [main, left],
      { x: 560, y: 306, width: 800, height: 500 },
    ],
    [
      'within a screen that became smaller',
      { x: 1500, y: 900, width: 800, height: 600 },
      [main],
      { x: 1120, y: 480, width: 800, height: 600 },
    ],
    [
      'as large as a screen that is smaller than it',
      { x: 100, y: 100, width: 3000, height: 2000 },
      [main],
      main,
    ],
    [
      'below the panel',
      { x: 10, y: 0, width: 800, height: 600 },
      [main],
      { x: 10, y: 32, width: 800, height: 600 },
    ],
    [
      'on the screen that shows most of it',
      { x: -300, y: 100, width: 800, height: 600 },
      [main, left],
      { x: 0, y: 100, width: 800, height: 600 },
    ],
    [
      'on the other screen when that one shows most of it',
      { x: -500, y: 100, width: 800, height: 600 },
      [main, left],
      { x: -800, y: 100, width: 800, height: 600 },
    ],
    [
      'back on the screen that shows a corner of it',
      { x: 1919, y: 1079, width: 800, height: 600 },
      [main],
      { x: 1120, y: 480, width: 800, height: 600 },
    ],
    [
      'in the middle when it only touches the screen',
      { x: 1920, y: 100, width: 800, height: 600 },
      [main],
      { x: 560, y: 256, width: 800, height: 600 },
    ],
  ];
  it.each(table)('is %s', (_name, was, screens, is) => {
    expect(fitBounds(was, screens)).toEqual(is);
  });

  it('is the middle of the main screen for the first time, no larger than that', () => {
    expect(fitBounds({ width: 1120, height: 800 }, [main, left])).toEqual({
      x: 400,
      y: 156,
      width: 1120,
      height: 800,
    });
    expect(fitBounds({ width: 5000, height: 5000 }, [main, left])).toEqual(main);
  });

  it('is left to the system where no screen is known', () => {
    expect(fitBounds({ width: 1120, height: 800 }, [])).toEqual({ width: 1120, height: 800 });
  });
});

describe('any window on any screens', () => {
  const anyRectangle = fc.record({
    x: fc.integer({ min: -10_000, max: 10_000 }),
    y: fc.integer({ min: -10_000, max: 10_000 }),
    width: fc.integer({ min: 1, max: 6_000 }),
    height: fc.integer({ min: 1, max: 6_000 }),
  });
  const anyScreens = fc.array(anyRectangle, { minLength: 1, maxLength: 4 });

  it('is completely on one of them, never larger than before, and smaller only if necessary', () => {
    fc.assert(
      fc.property(anyRectangle, anyScreens, (was, screens) => {
        const is = fitBounds(was, screens) as Rectangle;
        const home = screens.find((screen) => contains(screen, is));
        expect(home).toBeDefined();
        expect(is.width).toBeLessThanOrEqual(was.width);
        expect(is.height).toBeLessThanOrEqual(was.height);
        const fitting = screens.filter((screen) => contains(screen, is));
        expect(fitting.some(({ width }) => is.width === Math.min(was.width, width))).toBe(true);
        expect(fitting.some(({ height }) => is.height === Math.min(was.height, height))).toBe(true);
      }),
    );
  });

  it('keeps its place when it is on a screen, and does not move when it is fitted twice', () => {
    fc.assert(
      fc.property(anyRectangle, anyScreens, (was, screens) => {
        const is = fitBounds(was, screens) as Rectangle;
        if (screens.some((screen) => contains(screen, was))) expect(is).toEqual(was);
        expect(fitBounds(is, screens)).toEqual(is);
      }),
    );
  });
});

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
