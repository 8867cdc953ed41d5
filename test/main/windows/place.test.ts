import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overview, type Place, placeOfLink, placeOfPath } from '../../../src/main/windows/place.ts';
import { fitBounds, type Rectangle } from '../../../src/main/windows/fit-bounds.ts';

describe('a link from outside', () => {
  it.each<[string, string | null]>([
    ['rotavox://ivr/main-menu', 'main-menu'],
    ['rotavox://ivr/ivr_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ivr_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    // What browsers and systems make of the same link.
    ['rotavox://ivr/main-menu/', 'main-menu'],
    ['ROTAVOX://IVR/Main', 'Main'],
    [`rotavox://ivr/${'x'.repeat(100)}`, 'x'.repeat(100)],
    ['rotavox://ivr', null],
    ['rotavox://ivr/', null],
  ])('%s leads to the designer', (link, id) => {
    expect(placeOfLink(link)).toEqual({ window: 'designer', path: id === null ? '/ivr' : `/ivr/${id}` });
  });

  it.each([
    ['another scheme', 'https://ivr/main'],
    ['a file', 'file:///ivr/main'],
    ['a script', 'javascript:rotavox://ivr/main'],
    ['another page of ours', 'rotavox://settings'],
    ['a page that does something', 'rotavox://tokens/issue'],
    ['the service itself', 'rotavox://127.0.0.1:7682/ivr/main'],
    ['no host', 'rotavox:///ivr/main'],
    ['no slashes', 'rotavox:ivr/main'],
    ['a user', 'rotavox://somebody@ivr/main'],
    ['an empty user', 'rotavox://@ivr/main'],
    ['a password', 'rotavox://a:b@ivr/main'],
    ['a port', 'rotavox://ivr:80/main'],
    ['an empty port', 'rotavox://ivr:/main'],
    ['a query', 'rotavox://ivr/main?code=1'],
    ['an empty query', 'rotavox://ivr/main?'],
    ['a fragment', 'rotavox://ivr/main#top'],
    ['a way up', 'rotavox://ivr/../settings'],
    ['a way up and down', 'rotavox://ivr/other/../main'],
    ['an escaped way up', 'rotavox://ivr/%2e%2e/settings'],
    ['an escaped slash', 'rotavox://ivr/a%2Fb'],
    ['a backslash', 'rotavox://ivr/a\\b'],
    ['two slashes', 'rotavox://ivr//main'],
    ['something below', 'rotavox://ivr/main/versions'],
    ['an escaped letter', 'rotavox://ivr/m%61in'],
    ['a longer id than there are', `rotavox://ivr/${'x'.repeat(101)}`],
    ['a huge one', `rotavox://ivr/${'x'.repeat(5_000_000)}`],
    ['a NUL', 'rotavox://ivr/main\0'],
    ['a line break', 'rotavox://ivr/ma\nin'],
    ['a line break at its end', 'rotavox://ivr/main\n'],
    ['a space before it', ' rotavox://ivr/main'],
    ['another alphabet', 'rotavox://ivr/mаin'],
    ['a letter that is folded to one of ours', 'rotavox://ivr/ma\u017Fk'],
    ['half a character', 'rotavox://ivr/\ud83d'],
    ['nothing', ''],
    ['a flag', '--hidden'],
  ])('with %s is none', (_name, link) => {
    expect(placeOfLink(link)).toBeUndefined();
  });

  it('leads to the designer or nowhere, whatever it is', () => {
    const pieces = fc.constantFrom(
      'rotavox:',
      '//',
      '/',
      'ivr',
      '..',
      '%2f',
      '?',
      '#',
      '@',
      ':',
      '\\',
      '\0',
      'main',
      ' ',
    );
    const anyLink = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'binary' }).map((rest) => `rotavox://ivr/${rest}`),
      fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anyLink, (link) => {
        const place = placeOfLink(link);
        if (place === undefined) return;
        expect(place.window).toBe('designer');
        expect(place.path).toMatch(/^\/ivr(?:\/[A-Za-z0-9_-]{1,100})?$/);
        // The window loads this very path of our own origin.
        const { origin, pathname } = new URL(place.path, 'http://127.0.0.1:7682');
        expect({ origin, pathname }).toEqual({ origin: 'http://127.0.0.1:7682', pathname: place.path });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('places and their paths', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,100}$/);
  const anyPlace: fc.Arbitrary<Place> = fc.oneof(
    fc.constantFrom('/', '/tokens/issue', '/settings').map((path) => ({ window: 'overview' as const, path })),
    id.map((family) => ({ window: 'overview' as const, path: `/tokens/family/${family}` })),
    fc
      .option(id)
      .map((menu) => ({ window: 'designer' as const, path: menu === null ? '/ivr' : `/ivr/${menu}` })),
    id.map((draft) => ({ window: 'designer' as const, path: `/ivr/drafts/${draft}` })),
  );

  it('belong together: a place is found again by its path', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        expect(placeOfPath(place.path)).toEqual(place);
      }),
    );
  });

  it('belong together: a path that is a place is the path of that place', () => {
    const anyPath = fc.oneof(
      anyPlace.map(({ path }) => path),
      fc.string({ unit: 'binary' }).map((rest) => `/ivr/${rest}`),
      fc.string().map((rest) => `/${rest}`),
    );
    fc.assert(
      fc.property(anyPath, (path) => {
        const place = placeOfPath(path);
        if (place !== undefined) expect(place.path).toBe(path);
      }),
    );
  });

  it('are those of the overview and the designer', () => {
    expect(overview.path).toBe('/');
    expect(placeOfPath('/ivr')).toEqual({ window: 'designer', path: '/ivr' });
    expect(placeOfPath('/ivr/a_B-9')).toEqual({ window: 'designer', path: '/ivr/a_B-9' });
    expect(placeOfPath('/ivr/drafts/draft_1')).toEqual({ window: 'designer', path: '/ivr/drafts/draft_1' });
  });

  it.each([
    '',
    '/docs',
    '/portal/tokens',
    '/settings/',
    '/ivr/',
    '/ivr/a/b',
    '/ivr/drafts/a/b',
    '/ivr/drafts/',
    '/ivr/%61',
    '/IVR',
    'ivr',
    '/?code=1',
  ])('%s is the path of no place', (path) => {
    expect(placeOfPath(path)).toBeUndefined();
  });
});

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
