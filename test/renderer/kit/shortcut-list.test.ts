import { describe, expect, it } from 'vitest';
import { keyWords, ShortcutList } from '../../../src/renderer/kit/keys/use-shortcut.ts';

/** What `localStorage` does, in memory. */
class Notes {
  readonly #notes = new Map<string, string>();
  getItem = (key: string): string | null => this.#notes.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.#notes.set(key, value);
  removeItem = (key: string): void => void this.#notes.delete(key);
}

function listOf(...keys: string[]): ShortcutList {
  const notes = new Notes();
  const list = new ShortcutList(() => notes);
  for (const one of keys) list.add({ keys: one, what: one, run: () => undefined });
  return list;
}

const plain = { hasMod: false, isTyping: false };

describe('the shortcuts of a window', () => {
  it('are a key, a combination, or two keys in a row', () => {
    const list = listOf('n', 'Mod+K', 'g h');
    expect(list.press({ ...plain, key: 'n' }, 0)?.keys).toBe('n');
    expect(list.press({ ...plain, key: 'k', hasMod: true }, 0)?.keys).toBe('Mod+K');
    expect(list.press({ ...plain, key: 'k' }, 0)).toBeUndefined();
    expect(list.press({ ...plain, key: 'g' }, 0)).toBeUndefined();
    expect(list.press({ ...plain, key: 'h' }, 900)?.keys).toBe('g h');
  });

  it('forget the first of two keys after a second, and after any other key', () => {
    const list = listOf('g h', 'n');
    list.press({ ...plain, key: 'g' }, 0);
    expect(list.press({ ...plain, key: 'h' }, 1001)).toBeUndefined();
    list.press({ ...plain, key: 'g' }, 2000);
    expect(list.press({ ...plain, key: 'n' }, 2100)?.keys).toBe('n');
    expect(list.press({ ...plain, key: 'h' }, 2200)).toBeUndefined();
  });

  it('mean nothing while something is typed, unless Ctrl or Cmd is held', () => {
    const list = listOf('n', 'Mod+K');
    expect(list.press({ key: 'n', hasMod: false, isTyping: true }, 0)).toBeUndefined();
    expect(list.press({ key: 'k', hasMod: true, isTyping: true }, 0)?.keys).toBe('Mod+K');
  });

  it('are turned off where they are single keys, and stay so', () => {
    const notes = new Notes();
    const list = new ShortcutList(() => notes);
    list.add({ keys: 'n', what: 'New', run: () => undefined });
    list.hasSingleKeys = false;
    expect(list.press({ ...plain, key: 'n' }, 0)).toBeUndefined();
    expect(new ShortcutList(() => notes).hasSingleKeys).toBe(false);
    list.hasSingleKeys = true;
    expect(list.press({ ...plain, key: 'n' }, 0)?.keys).toBe('n');
  });

  it('are taken away with the page that brought them, and the page before has its own again', () => {
    const list = listOf('/');
    const leave = list.add({ keys: '/', what: 'Search here', run: () => undefined });
    expect(list.press({ ...plain, key: '/' }, 0)?.what).toBe('Search here');
    leave();
    expect(list.press({ ...plain, key: '/' }, 0)?.what).toBe('/');
  });

  it.each([
    ['Mod+K', false, ['Ctrl', 'K']],
    ['Mod+K', true, ['⌘', 'K']],
    ['g h', false, ['g', 'h']],
    ['?', false, ['?']],
    ['+', false, ['+']],
  ])('%s is written so that a person (with a Mac: %s) finds the keys', (keys, isMac, words) => {
    expect(keyWords(keys, isMac)).toEqual(words);
  });

  it('tells keys that the view hears itself, and does not act on them: they are told only', () => {
    const list = listOf();
    list.add({ keys: 'Mod+C', what: 'Copy', run: null });
    expect(list.all.map(({ what }) => what)).toEqual(['Copy']);
    expect(list.press({ key: 'c', hasMod: true, isTyping: false }, 0)).toBeUndefined();
  });

  it('knows a combination with the shift key from the one without', () => {
    const list = listOf('Mod+Z', 'Mod+Shift+Z');
    expect(list.press({ key: 'z', hasMod: true, isTyping: false }, 0)?.keys).toBe('Mod+Z');
    expect(list.press({ key: 'Z', hasMod: true, hasShift: true, isTyping: false }, 0)?.keys).toBe(
      'Mod+Shift+Z',
    );
  });
});
