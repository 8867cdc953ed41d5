import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/contract/decode-text.ts';

const bytesOf = (text: string, encoding: 'latin1' | 'utf8' | 'utf16le' = 'latin1') =>
  new Uint8Array(Buffer.from(text, encoding));
const bigEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const textOf = (bytes: Uint8Array) => {
  const read = decodeText(bytes);
  return read.ok ? [read.text, read.encoding, read.isGuess] : read.fault;
};

describe('a text file', () => {
  const csv = 'id,name\r\n101,Müller\r\n102,Łukasz 😀\r\n';
  it.each([
    ['UTF-8', bytesOf(csv, 'utf8'), 'utf-8', false],
    ['UTF-8 with its mark (Excel, “CSV UTF-8”)', bytesOf(`\ufeff${csv}`, 'utf8'), 'utf-8', false],
    ['UTF-16 (Excel, “Unicode text”; PowerShell)', bytesOf(`\ufeff${csv}`, 'utf16le'), 'utf-16', false],
    ['UTF-16, the higher byte first', bigEndian(`\ufeff${csv}`), 'utf-16', false],
    ['UTF-16 without its mark', bytesOf(csv, 'utf16le'), 'utf-16', true],
    ['UTF-16 without its mark, the higher byte first', bigEndian(csv), 'utf-16', true],
  ])('in %s is read', (_what, bytes, encoding, isGuess) => {
    expect(textOf(bytes)).toEqual([csv, encoding, isGuess]);
  });

  it.each([
    [
      'id;name\r\n101;M\xfcller\r\n102;Br\xf6du & S\xf6hne\r\n',
      'id;name\r\n101;Müller\r\n102;Brödu & Söhne\r\n',
    ],
    // nodejs/node#56542, #59515, #60888: what TextDecoder makes of these.
    ['O\x92Brien \x96 5 \x80', 'O’Brien – 5 €'],
    ['\x8akoda, \x8eilina, \x9cuvre, \x93Caf\xe9\x94, cr\xe9\xe9e', 'Škoda, Žilina, œuvre, “Café”, créée'],
    ['Gr\xf6\xdfe \xa7 5, 20 \xb0C, 2\xbdZimmer, l\x92\xe9t\xe9', 'Größe § 5, 20 °C, 2½Zimmer, l’été'],
    ['100\xa0Reception', '100\u00a0Reception'],
  ])('in Windows-1252 is read as such: %j', (bytes, text) => {
    expect(textOf(bytesOf(bytes))).toEqual([text, 'windows-1252', true]);
  });

  it.each([
    // Mac Roman: yakamara/yform#237. Müller, März, Muñoz, François, Größe.
    ...['M\x9fller', 'M\x8arz', 'Mu\x96oz', 'Fran\x8dois', 'Gr\x9a\xa7e'],
    // Code page 850 (Excel, “CSV (MS-DOS)”). Müller, Jäger, Köhler, Café, François, señor.
    ...['M\x81ller', 'J\x84ger', 'K\x94hler', 'Caf\x82', 'Fran\x87ois', 'se\xa4or'],
    // Windows-1251, 1253, 1250 and Shift JIS.
    ...['\xcf\xf0\xe8\xe2\xe5\xf2', '\xc5\xeb\xeb\xdc\xe4\xe1', 'Pawe\xb3ek', '\x93\xc1\x8c\xb4\x90\xd7'],
    // UTF-8 and Windows-1252 in one file.
    'M\xc3\xbcller, Br\xf6du',
    // The mark of UTF-8, and a character that is cut.
    '\xef\xbb\xbfid,name\n1,M\xc3',
  ])('in another encoding is refused, and never read as Windows-1252: %j', (bytes) => {
    expect(textOf(bytesOf(bytes))).toMatchObject({ code: 'unknown_encoding' });
  });

  it('in another encoding is refused with the line that shows it', () => {
    expect(textOf(bytesOf('id;name\r\n1;A\r\n2;M\x81ller\r\n'))).toEqual({
      code: 'unknown_encoding',
      line: 3,
    });
  });

  it.each([
    ['a UTF-16 text that is cut', bytesOf('\ufeffid,name\n', 'utf16le').subarray(0, -1), 'unknown_encoding'],
    ['half a pair of surrogates', bytesOf('\ufeffid\ud83d', 'utf16le'), 'unknown_encoding'],
    ['UTF-32', new Uint8Array([0xff, 0xfe, 0, 0, 0x69, 0, 0, 0]), 'binary'],
    ['an XLSX file', bytesOf('PK\x03\x04\x14\x00'), 'workbook'],
    ['an XLS file', bytesOf('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'workbook'],
    ['a PNG file', bytesOf('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR'), 'binary'],
    ['a NUL in a text', bytesOf('id,name\n1,a\0b\n'), 'binary'],
  ])('is none: %s', (_what, bytes, code) => {
    expect(textOf(bytes)).toMatchObject({ code });
  });

  it.each([
    ['UTF-8', bytesOf('id,name\n101,M\ufffdller\n', 'utf8')],
    ['UTF-16', bytesOf('\ufeffid,name\n101,M\ufffdller\n', 'utf16le')],
  ])('in which a program before has lost a character is refused with its line: %s', (_what, bytes) => {
    expect(textOf(bytes)).toEqual({ code: 'replaced', line: 2 });
  });

  it('is read whole, whatever its length and wherever a character stands', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '%', '\n'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.nat(8200), (end, length) => {
        const all = `${'x'.repeat(length)}${end}`;
        expect(textOf(bytesOf(all, 'utf8'))).toEqual([all, 'utf-8', false]);
        expect(textOf(bytesOf(`\ufeff${all}`, 'utf16le'))).toEqual([all, 'utf-16', false]);
      }),
    );
  });

  it('is UTF-8 exactly where the platform’s own decoder says so, and never gets a replacement character', () => {
    const platform = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, maxLength: 12 }), (bytes) => {
        const read = decodeText(bytes);
        if (read.ok) expect(read.text).not.toContain('\ufffd');
        if (read.ok && read.encoding === 'utf-8') expect(platform.decode(bytes)).toBe(read.text);
        if (read.ok && read.encoding === 'windows-1252') expect(() => platform.decode(bytes)).toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
