import { describe, expect, it } from 'vitest';
import { desktopWords, readDesktop } from '../../../src/renderer/kit/desktop-bridge.ts';

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
