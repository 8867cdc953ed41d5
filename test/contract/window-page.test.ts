import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pagePath, pagePaths, readPagePath, type WindowPage } from '../../src/contract/window/window-page.ts';

const pages = Object.keys(pagePaths) as WindowPage[];
const withId = pages.filter((page) => pagePaths[page].endsWith(':id'));

describe('the path of a page', () => {
  it.each(pages.filter((page) => !withId.includes(page)))('is read back: %s', (page) => {
    expect(readPagePath(pagePath(page))).toEqual({ page, id: '' });
  });

  it('is read back with any id or name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withId), fc.string({ minLength: 1, unit: 'grapheme' }), (page, id) => {
        expect(readPagePath(pagePath(page, id))).toEqual({ page, id });
      }),
    );
  });

  it.each(['', '/tokens/family', '/tokens/other', '/ivr/', '/index.html', '/ivr/one/two', '/settings/'])(
    'is not %s',
    (path) => {
      expect(readPagePath(path)).toBeUndefined();
    },
  );

  it('may have an id with a broken escape, which is taken as it is written', () => {
    expect(readPagePath('/ivr/%E0%A4%A')).toEqual({ page: 'menu', id: '%E0%A4%A' });
  });
});
