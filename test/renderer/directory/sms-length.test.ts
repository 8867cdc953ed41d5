import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smsLength } from '../../../src/renderer/directory/sms-length.ts';
import { smsCulpritText, smsLengthText } from '../../../src/text/menu/directory-text.ts';

describe('the length of a text message', () => {
  it.each([
    ['nothing', '', 'GSM-7', 0, 0, 160],
    ['a full message', 'a'.repeat(160), 'GSM-7', 160, 1, 0],
    ['one character more', 'a'.repeat(161), 'GSM-7', 161, 2, 145],
    ['two full messages', 'a'.repeat(306), 'GSM-7', 306, 2, 0],
    ['three messages', 'a'.repeat(307), 'GSM-7', 307, 3, 152],
    ['umlauts, which GSM-7 has', 'äöüÄÖÜß', 'GSM-7', 7, 1, 153],
    ['the euro sign, which takes two', '€', 'GSM-7', 2, 1, 158],
    ['80 euro signs', '€'.repeat(80), 'GSM-7', 160, 1, 0],
    ['81 euro signs, of which none is cut in two', '€'.repeat(81), 'GSM-7', 162, 2, 143],
    ['one character that GSM-7 has not', 'ç', 'UCS-2', 1, 1, 69],
    ['a typographic apostrophe', 'It’s', 'UCS-2', 4, 1, 66],
    ['a full message of others', 'я'.repeat(70), 'UCS-2', 70, 1, 0],
    ['one of those more', 'я'.repeat(71), 'UCS-2', 71, 2, 63],
    ['an emoji, which takes two', '😀', 'UCS-2', 2, 1, 68],
    ['36 emojis, of which none is cut in two', '😀'.repeat(36), 'UCS-2', 72, 2, 61],
    ['a line break', 'a\nb', 'GSM-7', 3, 1, 157],
  ] as const)('of %s', (_what, text, coding, units, segments, left) => {
    expect(smsLength(text)).toMatchObject({ coding, units, segments, left });
  });

  it('names the first character that makes it longer', () => {
    expect(smsLength('It’s 5 ′ away').culprit).toBe('’');
    expect(smsCulpritText(smsLength('It’s'))).toContain('“’” is not in the GSM alphabet');
    expect(smsCulpritText(smsLength('a\u00a0b'))).toContain('A special space');
    expect(smsCulpritText(smsLength('Its'))).toBeNull();
  });

  it('is told in words', () => {
    expect(smsLengthText(smsLength(''))).toBe('No text yet');
    expect(smsLengthText(smsLength('abc'))).toBe('1 message, 157 left');
    expect(smsLengthText(smsLength('a'.repeat(161)))).toBe('2 messages, 145 left');
  });

  it('is never less for a longer text, and what is left fits once more', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.constantFrom('a', '€', 'я', '😀'),
        (text, more) => {
          const [before, after] = [smsLength(text), smsLength(text + more)];
          expect(after.segments).toBeGreaterThanOrEqual(before.segments);
          expect(after.units).toBeGreaterThan(before.coding === after.coding ? before.units : 0);
          const filled = smsLength(text + 'a'.repeat(before.left));
          if (before.segments > 0) expect([filled.segments, filled.left]).toEqual([before.segments, 0]);
        },
      ),
    );
  });
});
