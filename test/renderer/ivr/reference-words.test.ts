import { describe, expect, it } from 'vitest';
import type { IvrId } from '../../../src/contract/ivr.ts';
import { referenceWords } from '../../../src/renderer/ivr/reference-words.ts';
import { menuWith } from './menu.ts';

const night = menuWith({ id: 'ivr_night' as IvrId, name: 'Night service' });

describe('what a menu refers to', () => {
  for (const [reference, words] of [
    ['extension||101', 'Extension 101'],
    ['recording||42', 'Recording 42'],
    ['outbound_tts||7', 'Spoken text 7'],
    ['time_condition||opening hours', 'Time condition opening hours'],
    ['hangup', 'Hang up'],
    ['hangup||', 'Hang up'],
    ['ivr||ivr_elsewhere', 'Phone menu ivr_elsewhere'],
    ['queue||9', 'queue||9'],
  ] as const) {
    it(`${reference} is said as “${words}”`, () => {
      expect(referenceWords(reference, [night])).toEqual({ words, menuId: undefined });
    });
  }

  it('is a menu by its name where it is stored here', () => {
    expect(referenceWords('ivr||ivr_night', [night])).toEqual({
      words: 'Night service',
      menuId: 'ivr_night',
    });
  });
});
