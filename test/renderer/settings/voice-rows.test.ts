import { describe, expect, it } from 'vitest';
import type { VoiceId } from '../../../src/contract/menu/speech.ts';
import { splitLanguages, voiceRows } from '../../../src/renderer/settings/voice-rows.ts';
import {
  changesText,
  countChanges,
  languageName,
  voiceFacts,
  voicesText,
} from '../../../src/text/menu/speech-window.ts';

const id = (name: string) => name as VoiceId;
const basic = {
  id: id('flite/slt'),
  name: 'slt',
  language: 'en-US',
  quality: 'basic',
  engine: 'flite',
  engine_version: '2',
  model_digest: '',
  licence: 'BSD',
} as const;
const natural = {
  ...basic,
  id: id('piper/amy'),
  name: 'amy',
  quality: 'natural',
  engine: 'sherpa-onnx',
} as const;
const personal = { ...natural, id: id('say/Samantha'), name: 'Samantha', personal_use_only: true } as const;
const pack = (voice: string, problem: 'damaged' | null) => ({
  voice: id(voice),
  name: voice,
  language: 'en-US',
  licence: null,
  bytes: 60_000_000,
  model_digest: '',
  added_at: '',
  problem,
  recordings: [],
});
const offered = {
  voice: id('piper/ryan'),
  name: 'ryan',
  language: 'en-US',
  licence: 'CC0',
  bytes: 1,
  url: '',
};

describe('the list of voices', () => {
  it('has natural voices first, those for personal use after the basic ones, then those that do not speak or can be added', () => {
    const packs = [pack('piper/amy', null), pack('piper/joe', 'damaged')];
    const rows = voiceRows([personal, basic, natural], { packs, offered: [offered] });
    expect(
      rows.map(({ id: voice, pack: added, offered: toAdd }) => [voice, added?.voice, toAdd?.voice]),
    ).toEqual([
      ['piper/amy', 'piper/amy', undefined],
      ['flite/slt', undefined, undefined],
      ['say/Samantha', undefined, undefined],
      ['piper/joe', 'piper/joe', undefined],
      ['piper/ryan', undefined, 'piper/ryan'],
    ]);
    expect(rows[0]?.bytes).toBe(60_000_000);
  });

  it('keeps the languages that only an engine of a hundred languages has apart, but for the one that menus have', () => {
    const wide = Array.from({ length: 20 }, (_, nth) => ({ language: `l${nth}`, engine: 'espeak-ng' }));
    const rows = [{ language: 'en-US', engine: 'flite' }, { language: 'fr-FR', engine: null }, ...wide];
    const languages = rows.map(({ language }) => language);
    const { main, more } = splitLanguages(languages, rows, 'l3');
    expect(main).toEqual(['en-US', 'fr-FR', 'l3']);
    expect(more).toHaveLength(19);
    expect(splitLanguages(languages.slice(0, 5), rows, 'l3').more).toEqual([]);
  });

  it('says what is known of a voice', () => {
    expect(voiceFacts({ engine: 'flite', licence: 'BSD', bytes: null })).toBe('flite · BSD');
    expect(voiceFacts({ engine: null, licence: null, bytes: 63_000_000 })).toBe(
      'licence not stated · 63.0 MB',
    );
    expect(voicesText.countOf(1, 0)).toBe('1 voice');
    expect(voicesText.countOf(0, 2)).toBe('2 to add');
    expect(voicesText.countOf(2, 1)).toBe('2 voices, 1 to add');
    expect(voicesText.removal.keep(['A'], 0)).toMatch(/^“A” keeps its audio\. To speak it again/);
    expect(voicesText.removal.keep(['A', 'B'], 3)).toMatch(
      /^“A”, “B”, and 3 other recordings keep their audio/,
    );
  });

  it.each([
    ['en-US', 'English (United States)'],
    ['hi', 'Hindi'],
    ['not a language', 'not a language'],
  ])('names the language %s', (language, name) => {
    expect(languageName(language)).toBe(name);
  });
});

describe('what changed since recordings were spoken', () => {
  it('is said for one, and counted for many', () => {
    expect(changesText(['voice', 'pronunciation'])).toBe('Voice changed, Pronunciation changed');
    const many = [{ changed: ['voice'] }, { changed: [] }, { changed: ['voice', 'language'] }] as const;
    expect(countChanges(many)).toBe('voice changed (2), language changed (1)');
  });
});
