import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Pronunciation, VoiceId } from '../../../src/contract/menu/speech.ts';
import { appliedPronunciations, pronounced } from '../../../src/core/speech/pronunciation.ts';
import { speechKeySource } from '../../../src/core/speech/speech-request.ts';

const list: readonly Pronunciation[] = [
  { word: 'Rotavox', say: 'Roh ta vox', language: null },
  { word: 'Rotavox Pro', say: 'Roh ta vox professional', language: null },
  { word: 'nginx', say: 'engine x', language: 'en' },
  { word: 'US', say: 'U S', language: 'en-US' },
  { word: 'C++', say: 'C plus plus', language: null },
  { word: 'घर', say: 'ghar', language: 'hi' },
];

it.each([
  ['Welcome to Rotavox.', 'Welcome to Roh ta vox.'],
  ['Rotavox Pro and Rotavox', 'Roh ta vox professional and Roh ta vox'],
  // Whole words only.
  ['Rotavoxes, MyRotavox, Rotavox2', 'Rotavoxes, MyRotavox, Rotavox2'],
  // In small letters: any case. With a capital: as it is written.
  ['NGINX, Nginx or nginx', 'engine x, engine x or engine x'],
  ['Call us in the US', 'Call us in the U S'],
  ['We write C++.', 'We write C plus plus.'],
])('"%s" is said as "%s"', (text, said) => {
  expect(pronounced(text, appliedPronunciations(text, 'en-US', list))).toBe(said);
});

it('applies what is for the language, or for a wider one', () => {
  const words = (language: string) =>
    appliedPronunciations('US nginx Rotavox घर', language, list).map(({ word }) => word);
  expect(words('en-US')).toEqual(['Rotavox', 'US', 'nginx']);
  expect(words('en-GB')).toEqual(['Rotavox', 'nginx']);
  expect(words('hi-IN')).toEqual(['Rotavox', 'घर']);
  expect(words('e')).toEqual(['Rotavox']);
});

it('does not say again what was put in', () => {
  const circle: readonly Pronunciation[] = [
    { word: 'a', say: 'b', language: null },
    { word: 'b', say: 'a a', language: null },
  ];
  expect(pronounced('a b', circle)).toBe('b a a');
});

it('leaves every text as it is that has none of the words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const other: readonly Pronunciation[] = [{ word: 'zq(x', say: 'no', language: null }];
      fc.pre(!text.toLowerCase().includes('zq(x'));
      expect(pronounced(text, appliedPronunciations(text, 'en', other))).toBe(text);
    }),
  );
});

const request = { text: 'Welcome to Rotavox', language: 'en-US', voice: VoiceId.parse('flite/slt'), rate: 1 };

it.each([
  ['text', { ...request, text: 'Welcome to Rotavox!' }, list],
  ['language', { ...request, language: 'en-GB' }, list],
  ['voice', { ...request, voice: VoiceId.parse('flite/rms') }, list],
  ['rate', { ...request, rate: 1.1 }, list],
  ['an applied pronunciation', request, [{ word: 'Rotavox', say: 'Rota vox', language: null }]],
  ['a removed pronunciation', request, []],
])('another key comes of another: %s', (_, other, pronunciations) => {
  expect(speechKeySource(other, pronunciations)).not.toBe(speechKeySource(request, list));
});

it('keeps the key when pronunciations change that are not in the text, or come in another order', () => {
  expect(speechKeySource(request, [...list].reverse())).toBe(speechKeySource(request, list));
  expect(speechKeySource(request, list.slice(0, 1))).toBe(speechKeySource(request, list));
});

it('finds words of a thousand that begin alike in a long text, the longest that is there', () => {
  const words = Array.from({ length: 1_000 }, (_, at) => `${'a'.repeat(40)}${'b'.repeat(at % 50)}${at}`);
  const many = words.map((word) => ({ word, say: 'x', language: null }));
  const text = `${'a'.repeat(480)} ${words[999]} ${words[998]}c ${'a'.repeat(400)}`;
  expect(appliedPronunciations(text, 'en', many).map(({ word }) => word)).toEqual([words[999]]);
});

it('looks at a list once for all texts of a language', () => {
  let reads = 0;
  const counted = Array.from({ length: 1000 }, (_, at): Pronunciation => ({
    say: 'x',
    language: null,
    get word() {
      reads += 1;
      return `word${at}`;
    },
  }));
  const found = (text: string, language = 'en') => appliedPronunciations(text, language, counted).length;
  expect(found('word1 word2')).toBe(2);
  const once = reads;
  for (let at = 0; at < 100; at += 1) expect(found(`say word${at}`)).toBe(1);
  expect(reads - once).toBeLessThan(300);
  expect(found('word1', 'de')).toBe(1);
});
