import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overview, type Place, placeOfLink, placeOfPath } from '../../../src/main/windows/place.ts';

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
