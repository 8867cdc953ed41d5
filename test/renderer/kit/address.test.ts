import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  credentialPath,
  draftPath,
  familyPath,
  menuPath,
  readAddress,
} from '../../../src/renderer/kit/address.ts';

describe('the address of a window', () => {
  for (const [path, page] of [
    ['/', 'overview'],
    ['/tokens', 'tokens'],
    ['/tokens/family', 'overview'],
    ['/tokens/other', 'overview'],
    ['/credentials', 'credentials'],
    ['/add-credential', 'add-credential'],
    ['/history', 'history'],
    ['/settings', 'settings'],
    ['/recordings', 'recordings'],
    ['/extensions', 'extensions'],
    ['/sms-templates', 'sms-templates'],
    ['/ivr', 'menus'],
    ['/ivr/', 'overview'],
    ['/index.html', 'overview'],
    ['/ivr/one/two', 'overview'],
  ] as const) {
    it(`${path} is the page ${page}`, () => {
      expect(readAddress(path)).toEqual({ page });
    });
  }

  it('opens the issue dialog over the tokens when it was opened there, else over the overview', () => {
    expect(readAddress('/tokens/issue')).toEqual({ page: 'issue', over: 'overview' });
    expect(readAddress('/tokens/issue', '/tokens')).toEqual({ page: 'issue', over: 'tokens' });
    expect(readAddress('/tokens/issue', '/settings')).toEqual({ page: 'issue', over: 'overview' });
  });

  it('names a credential and a family by any name and id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        expect(readAddress(credentialPath(name))).toEqual({ page: 'credential', name });
        expect(readAddress(familyPath(name))).toEqual({ page: 'family', id: name });
        expect(readAddress(draftPath(name))).toEqual({ page: 'draft', id: name });
      }),
    );
  });

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
