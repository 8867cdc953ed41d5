import { describe, expect, it } from 'vitest';
import { isSameReference, readReference, writeReference } from '../../../src/contract/menu/ivr-reference.ts';

describe('a reference', () => {
  it.each([
    ['recording||42', { type: 'recording', id: '42' }],
    ['outbound_tts||7', { type: 'outbound_tts', id: '7' }],
    ['ivr||ivr_1', { type: 'ivr', id: 'ivr_1' }],
    ['hangup', { type: 'hangup', id: '' }],
    ['hangup||now', { type: 'hangup', id: 'now' }],
    ['moon||2', { type: 'moon', id: '2' }],
    ['constructor||2', { type: 'constructor', id: '2' }],
    ['extension||', { type: 'extension', id: '' }],
  ])('%s is read and written', (text, reference) => {
    expect(readReference(text)).toEqual(reference);
    expect(writeReference(reference)).toBe(text);
  });

  it.each(['', 'extension', '||42', '42', 'extension|42'])('%j is none', (text) => {
    expect(readReference(text)).toBeNull();
  });

  it('to the end of the call is the same with and without bars', () => {
    expect(isSameReference('hangup||', 'hangup')).toBe(true);
    expect(isSameReference('extension||1', 'extension||1')).toBe(true);
    expect(isSameReference('extension||1', 'voicemail||1')).toBe(false);
    expect(isSameReference('nonsense', 'hangup')).toBe(false);
  });
});
