import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { desktopWords, readDesktop } from '../../../src/renderer/kit/desktop-bridge.ts';
import { searchList } from '../../../src/renderer/kit/search-list.ts';
import { PathText } from '../../../src/renderer/kit/text.tsx';

const nothing = () => Promise.resolve();

describe('the desktop app around a window', () => {
  for (const bridge of [undefined, null, 'rotavox', 7]) {
    it(`is not there where the bridge is ${String(bridge)}`, () => {
      expect(readDesktop(bridge)).toBeUndefined();
    });
  }

  it('may be older than the window: what it does not offer is missing', () => {
    expect(readDesktop({ quit: nothing })).toEqual({ quit: nothing });
    expect(readDesktop({})).toEqual({});
  });

  it('may be newer: what the window does not know is left out, and so is what cannot be called', () => {
    const bridge = { quit: nothing, dance: nothing, copySecret: 'soon' };
    expect(readDesktop(bridge)).toEqual({ quit: nothing });
  });

  it('is quoted without what Electron puts before its words', () => {
    const told = new Error("Error invoking remote method 'rotavox:quit': Error: Not now.");
    expect(desktopWords(told)).toBe('Not now.');
    expect(desktopWords(new Error('Not now.'))).toBe('Not now.');
    expect(desktopWords('no')).toBe('no');
  });
});

const list = ['Jörg Müller 101', 'Anna Sales 102', 'Sales night service'];
const found = (sought: string) => searchList(list, sought, (one) => one);

describe('what is looked for by words', () => {
  it('has every one of them, in whatever order', () => {
    expect(found('102 sales')).toEqual(['Anna Sales 102']);
    expect(found('sales')).toEqual(list.slice(1));
    expect(found('sales 101')).toEqual([]);
  });

  it('is found without upper case and accents, and with them', () => {
    expect(found('jorg mULL')).toEqual(['Jörg Müller 101']);
    expect(found('Müller')).toEqual(['Jörg Müller 101']);
  });

  it('is everything while nothing is looked for', () => {
    expect(found('')).toBe(list);
    expect(found('  \t')).toBe(list);
  });
});

it.each([
  ['Remove ops@registry.example.com:8443/team?', 'Remove ops@|registry.|example.|com:|8443/|team?'],
  ['https://example.com/a', 'https://|example.|com/|a'],
  ['C:\\Users\\me', 'C:\\|Users\\|me'],
  ['Rotate nightly-build now?', 'Rotate nightly-|build now?'],
])('%s breaks its line after a separator, and after the last of several', (path, broken) => {
  const shown = renderToStaticMarkup(createElement(PathText, { path }));
  expect(shown).toBe(`${broken.replaceAll('|', '<wbr/>')}<wbr/>`);
});
