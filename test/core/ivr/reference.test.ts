import { describe, expect, it } from 'vitest';
import { referenceTitle, referenceWords } from '../../../src/core/ivr/reference-words.ts';
import { isSameReference, readReference, writeReference } from '../../../src/core/ivr/reference.ts';

describe('a reference', () => {
  it.each([
    ['recording||42', { type: 'recording', id: '42' }, 'recording 42', 'Recording 42'],
    ['outbound_tts||7', { type: 'outbound_tts', id: '7' }, 'spoken text 7', 'Spoken text 7'],
    ['ivr||ivr_1', { type: 'ivr', id: 'ivr_1' }, 'stored menu ivr_1', 'Stored menu ivr_1'],
    ['hangup', { type: 'hangup', id: '' }, 'the end of the call', 'Hang up'],
    ['hangup||now', { type: 'hangup', id: 'now' }, 'the end of the call', 'Hang up'],
    ['moon||2', { type: 'moon', id: '2' }, 'moon||2', 'moon||2'],
    ['constructor||2', { type: 'constructor', id: '2' }, 'constructor||2', 'constructor||2'],
    ['extension||', { type: 'extension', id: '' }, 'the extension that is still open', 'Extension'],
  ])('%s is read, written and said', (text, reference, words, title) => {
    expect(readReference(text)).toEqual(reference);
    expect(writeReference(reference)).toBe(text);
    expect(referenceWords(text)).toBe(words);
    expect(referenceTitle(text)).toBe(title);
  });

  it.each(['', 'extension', '||42', '42', 'extension|42'])('%j is none', (text) => {
    expect(readReference(text)).toBeNull();
    expect(referenceWords(text)).toBe(text);
    expect(referenceTitle(text)).toBe(text);
  });

  it('to the end of the call is the same with and without bars', () => {
    expect(isSameReference('hangup||', 'hangup')).toBe(true);
    expect(isSameReference('extension||1', 'extension||1')).toBe(true);
    expect(isSameReference('extension||1', 'voicemail||1')).toBe(false);
    expect(isSameReference('nonsense', 'hangup')).toBe(false);
  });
});
