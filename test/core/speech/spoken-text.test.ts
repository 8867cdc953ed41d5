import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainWords, unreadableLetters } from '../../../src/core/speech/spoken-words.ts';
import { readSpokenText, type SpokenPart } from '../../../src/core/speech/spoken-text.ts';

/** A text as its parts: words as they are, pauses as their length. */
function partsOf(text: string, language = 'en-US'): readonly (string | number)[] {
  const read = readSpokenText(text, language, []);
  if (!read.ok) throw new Error(JSON.stringify(read.refusal));
  return read.value.parts.map((part) => (part.kind === 'words' ? part.text : part.ms));
}

function problemOf(text: string, language = 'en-US'): unknown {
  const read = readSpokenText(text, language, []);
  return read.ok ? null : read.refusal;
}

describe('a spoken text', () => {
  it.each<[string, readonly (string | number)[]]>([
    ['Welcome to Example.', ['Welcome to Example.']],
    ['One<break time="500ms"/>two', ['One', 500, 'two']],
    ["One <break time='0.5s' /> two", ['One', 500, 'two']],
    ['One<break time="5s"/>', ['One', 5000]],
    ['<break time="1s"/><break time="250ms"/>One', [1000, 250, 'One']],
    [
      'Code <say-as interpret-as="digits">47-11</say-as> now',
      ['Code', 150, '4', 150, '7', 150, '1', 150, '1', 150, 'now'],
    ],
    ['<say-as interpret-as="characters">aB*#</say-as>', ['a', 150, 'B', 150, 'star', 150, 'pound']],
    ['<say-as interpret-as="digits">1<break time="1s"/></say-as>', []],
    ['A <break time="1s"/><say-as interpret-as="digits">1</say-as>', ['A', 1000, '1']],
    ['Call <sub alias="doctor">Dr.</sub> Smith', ['Call doctor Smith']],
    ['Call <sub alias=\'the "A" team\'>A</sub>', ['Call the "A" team']],
    ['R&D, 5 < 6 and 7 > 2', ['R and D, 5 6 and 7 2']],
    ['a<b', ['a b']],
    ['a <subtotal', ['a subtotal']],
    ['Press * or #.', ['Press star or pound.']],
    ['Press *5 or #1, 2*3', ['Press star 5 or #1, 2*3']],
    ['Press 1# or 9*, then ** or ##.', ['Press 1 pound or 9 star, then star star or pound pound.']],
    ['**Welcome** to C#', ['**Welcome** to C#']],
    ['Smith &amp; Sons &quot;Example&quot;&nbsp;now', ['Smith and Sons "Example" now']],
    ['Open 9–17 – call −5', ['Open 9-17, call -5']],
    ['Please hold... thank you!!! Yes?!…', ['Please hold. thank you! Yes?.']],
    ['Dial ١٢٣, १२, １２３ or ①', ['Dial 123, 12, 123 or 1']],
    ['ﬁrst Ⅷ ＡＢ', ['first VIII AB']],
    ['Press 1️⃣ 🇩🇪 👍🏽 now', ['Press 1 now']],
    ['9'.repeat(45), [`${'9'.repeat(20)} ${'9'.repeat(20)} 99999`]],
  ])('%s', (text, parts) => {
    if (parts.length === 0) expect(problemOf(text)).toMatchObject({ kind: 'unreadable' });
    else expect(partsOf(text)).toEqual(parts);
  });

  it.each<[string, number, string, string]>([
    ['One <audio src="/etc/passwd"/>', 4, '<audio src="/etc/passwd"/>', 'unknown'],
    ['<play file="/etc/passwd"/>', 0, '<play file="/etc/passwd"/>', 'unknown'],
    ['<speak>One</speak>', 0, '<speak>', 'unknown'],
    ['One</speak>', 3, '</speak>', 'unknown'],
    ['One<BREAK time="1s"/>', 3, '<BREAK time="1s"/>', 'unknown'],
    ['One</say-as> two', 3, '</say-as>', 'not_opened'],
    ['One <break time="5001ms"/>', 4, '<break time="5001ms"/>', 'pause_too_long'],
    ['One <break time="6s"/>', 4, '<break time="6s"/>', 'pause_too_long'],
    ['One <break time="soon"/>', 4, '<break time="soon"/>', 'pause_length'],
    ['One <break time="1s">', 4, '<break time="1s">', 'pause_length'],
    ['One <break/>', 4, '<break/>', 'pause_length'],
    ['One <break time="1s" two', 4, '<break time="1s" two', 'unfinished'],
    ['One <break', 4, '<break', 'unfinished'],
    ['<say-as interpret-as="digits">47</say-as', 0, '<say-as interpret-as="digits">', 'not_closed'],
    ['<say-as interpret-as="digits">47', 0, '<say-as interpret-as="digits">', 'not_closed'],
    ['<say-as interpret-as="date">47</say-as>', 0, '<say-as interpret-as="date">', 'spelling'],
    ['<sub>Dr.</sub>', 0, '<sub>', 'no_alias'],
    ['<sub alias="a"><break time="1s"/></sub>', 0, '<sub alias="a">', 'not_closed'],
    [`One <${'x'.repeat(100)}>`, 4, `<${'x'.repeat(59)}`, 'unknown'],
  ])('%s is refused at its place', (text, at, found, fault) => {
    expect(problemOf(text)).toEqual({ kind: 'unreadable', at, found, fault });
  });

  it('has pauses of 30 seconds together at most', () => {
    const pauses = (count: number) => `One${'<break time="5s"/>'.repeat(count)}`;
    expect(problemOf(pauses(6))).toBeNull();
    expect(problemOf(`${pauses(6)}<break time="1ms"/>`)).toEqual({
      kind: 'pauses_too_long',
      ms: 30_001,
      most_ms: 30_000,
    });
  });

  it.each(['', '   ', '...', '\0\n', '<break time="1s"/>', '😀', '"!?"', '<sub alias="">x</sub>'])(
    'has nothing to say: %j',
    (text) => {
      expect(problemOf(text)).toEqual({ kind: 'nothing_to_say' });
    },
  );

  it('has nothing that the voice can read: the letters are named', () => {
    expect(problemOf('日本')).toEqual({ kind: 'nothing_to_say', letters: ['日', '本'] });
  });

  it('has 1,000 characters at most', () => {
    expect(problemOf('a'.repeat(1000))).toBeNull();
    expect(problemOf('a'.repeat(1001))).toEqual({ kind: 'too_long', most: 1000 });
  });

  it('names each letter once that the language does not write with, and says the rest', () => {
    expect(readSpokenText('Hello 日本 שלום日!', 'en-US', [])).toEqual({
      ok: true,
      value: { parts: [{ kind: 'words', text: 'Hello!' }], unreadable: ['日', '本', 'ש', 'ל', 'ו', 'ם'] },
    });
    expect(unreadableLetters('नमस्ते Café', 'hi')).toEqual([]);
    expect(unreadableLetters('日本語カナ', 'ja')).toEqual([]);
    expect(unreadableLetters('日本', 'no language')).toEqual([]);
  });

  it('says words as the list has them, but not what an alias already says', () => {
    const list = [{ word: 'Example', say: 'Eggs ample', language: null }];
    const read = readSpokenText('Example <sub alias="Example">E.</sub>', 'en', list);
    expect(read).toMatchObject({ value: { parts: [{ text: 'Eggs ample Example' }] } });
  });

  it('gives engines no markup, whatever it has', () => {
    const pieces = fc.constantFrom(
      ...[
        '<',
        '>',
        '&',
        '[[',
        ']]',
        '[',
        ']',
        '"',
        "'",
        '\0',
        '\u202E',
        '\uD800',
        '😀',
        '$(x)',
        '-w/x',
        '/',
        '|',
      ],
      ...[
        '<break time="1s"/>',
        '<say-as interpret-as="digits">',
        '</say-as>',
        '<sub alias="',
        '">',
        'a',
        ' ',
        '\n',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (typed) => {
        const read = readSpokenText(typed.join(''), 'en-US', []);
        const words = read.ok ? read.value.parts.flatMap(textsOf) : [];
        for (const text of words) {
          expect(text).not.toMatch(/[<>&|]|\[\[|\]\]|[\p{Cc}\p{Cs}\u202E]/u);
          expect(text).toMatch(/[\p{L}\p{N}$=]/u);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

function textsOf(part: SpokenPart): readonly string[] {
  return part.kind === 'words' ? [part.text] : [];
}

describe('plain words', () => {
  it.each([
    ['It’s “open” — really…', 'It\'s "open", really.'],
    ['non\u00A0breaking\u200B space', 'non breaking space'],
    ['a\r\n\tb', 'a b'],
    ['[[slnc 500]] hello', 'slnc 500 hello'],
    ['$(touch x) `y` -w/x', '$(touch x) `y` -w/x'],
    ['Café 50 % €5 a@b.c', 'Café 50 % €5 a@b.c'],
  ])('of %j', (typed, plain) => {
    expect(plainWords(typed, 'en-US')).toBe(plain);
  });

  it.each([
    ['en-US', 'Press star or pound'],
    ['en-GB', 'Press star or hash'],
    ['de-DE', 'Press Stern or Raute'],
    ['fr', 'Press étoile or dièse'],
    ['xx', 'Press or'],
  ])('of the signs of a telephone in %s', (language, plain) => {
    expect(plainWords('Press * or #', language)).toBe(plain);
  });
});
