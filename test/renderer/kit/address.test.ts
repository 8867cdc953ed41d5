import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { menuPath, readAddress } from '../../../src/renderer/kit/address.ts';

describe('the address of a window', () => {
  for (const [path, page] of [
    ['/', 'overview'],
    ['/tokens/issue', 'issue'],
    ['/settings', 'settings'],
    ['/ivr', 'menus'],
    ['/ivr/', 'overview'],
    ['/index.html', 'overview'],
    ['/ivr/one/two', 'overview'],
  ] as const) {
    it(`${path} is the page ${page}`, () => {
      expect(readAddress(path)).toEqual({ page });
    });
  }

  it('names a phone menu by any id that a menu may have', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        expect(readAddress(menuPath(id))).toEqual({ page: 'menu', id });
      }),
    );
  });

  it('takes an id with a broken escape as it is written', () => {
    expect(readAddress('/ivr/%E0%A4%A')).toEqual({ page: 'menu', id: '%E0%A4%A' });
  });
});
