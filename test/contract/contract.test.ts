import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/contract/decode-text.ts';
import { dataDirOf } from '../../src/contract/service/data-dir.ts';
import { problems } from '../../src/contract/problems.ts';
import { rotatedMessage } from '../../src/contract/token/token.ts';
import { pagePath, pagePaths, readPagePath, type WindowPage } from '../../src/contract/window/window-page.ts';
import { findJsonError } from '../../src/contract/find-json-error.ts';

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

describe('the data folder when nobody names one', () => {
  it.each([
    ['linux', {}, '/home/ada/.config/Rotavox/data'],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/Rotavox/data'],
    ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada/.config/Rotavox/data'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/Rotavox/data'],
    ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/home/ada/Library/Application Support/Rotavox/data'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Rotavox\\data'],
    ['win32', {}, '/home/ada\\AppData\\Roaming\\Rotavox\\data'],
    ['linux', { ROTAVOX_DATA_DIR: '/chosen', XDG_CONFIG_HOME: '/xdg' }, '/chosen'],
    ['win32', { ROTAVOX_DATA_DIR: '' }, '/home/ada\\AppData\\Roaming\\Rotavox\\data'],
  ])('is on %s with %o: %s', (platform, environment, expected) => {
    expect(dataDirOf({ environment, platform, homeDir: '/home/ada' })).toBe(expected);
  });
});

it('words the outcomes of a rotation as the spec does, to the letter (section 7)', () => {
  expect(rotatedMessage).toBe('Token refreshed successfully.');
  expect(problems.token_expired).toEqual({
    status: 401,
    message:
      'The provided token has expired and cannot be refreshed. Please generate a new token from the portal.',
  });
  expect(problems.token_suspended).toEqual({
    status: 403,
    message: 'The provided token is suspended and cannot be refreshed.',
  });
  expect(problems.token_invalid).toEqual({ status: 401, message: 'The provided token is invalid.' });
  expect(problems.token_blacklisted).toEqual({
    status: 403,
    message: 'The provided token is blacklisted and cannot be refreshed.',
  });
});

const pages = Object.keys(pagePaths) as WindowPage[];
const withId = pages.filter((page) => pagePaths[page].endsWith(':id'));

describe('the path of a page', () => {
  it.each(pages.filter((page) => !withId.includes(page)))('is read back: %s', (page) => {
    expect(readPagePath(pagePath(page))).toEqual({ page, id: '' });
  });

  it('is read back with any id or name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withId), fc.string({ minLength: 1, unit: 'grapheme' }), (page, id) => {
        expect(readPagePath(pagePath(page, id))).toEqual({ page, id });
      }),
    );
  });

  it.each(['', '/tokens/family', '/tokens/other', '/ivr/', '/index.html', '/ivr/one/two', '/settings/'])(
    'is not %s',
    (path) => {
      expect(readPagePath(path)).toBeUndefined();
    },
  );

  it('may have an id with a broken escape, which is taken as it is written', () => {
    expect(readPagePath('/ivr/%E0%A4%A')).toEqual({ page: 'menu', id: '%E0%A4%A' });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('finding what is wrong with JSON', () => {
  it.each([
    ['{"a":1 "b":2}', 1, 8, 'comma_or_brace', 'text'],
    ['[1,\n 2', 2, 3, 'comma_or_bracket', 'end'],
    ['{"a"}', 1, 5, 'colon', 'closing'],
    ['{a:1}', 1, 2, 'name', 'word'],
    ['[1] x', 1, 5, 'end', 'word'],
    ["['a']", 1, 2, 'value', 'single_quote'],
    ['', 1, 1, 'value', 'end'],
    // What people write in bodies by hand and in templates: commas at the end, comments, Python, JavaScript, curly quotes.
    ['{"a":1,}', 1, 8, 'name', 'closing'],
    ['[1,]', 1, 4, 'value', 'closing'],
    ['{"a":1, // one\n"b":2}', 1, 9, 'name', 'comment'],
    ['{"a":True}', 1, 6, 'value', 'word'],
    ['{"a":NaN}', 1, 6, 'value', 'word'],
    ['{"a":01}', 1, 7, 'comma_or_brace', 'number'],
    ['{"a":+1}', 1, 6, 'value', 'number'],
    ['{“a”:1}', 1, 2, 'name', 'curly_quote'],
    ['{"a":,}', 1, 6, 'value', 'comma'],
    ['[1}', 1, 3, 'comma_or_bracket', 'closing'],
    ['{"a"::1}', 1, 6, 'value', 'colon'],
    ['<html>', 1, 1, 'value', 'sign'],
    ['[\ufeff1]', 1, 2, 'value', 'mark'],
    ['["a\nb"]', 1, 2, 'string_end', 'line_break'],
    ['["a\tb"]', 1, 2, 'string_end', 'control'],
    [String.raw`["C:\Users"]`, 1, 2, 'string_end', 'backslash'],
    ['{"a', 1, 2, 'string_end', 'end'],
  ])('%j', (text, line, column, expected, found) => {
    expect(findJsonError(text)).toEqual({ line, column, expected, found });
  });

  it('finds an error exactly where the runtime finds one', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...'{}[],:"\\ \n01e-.tu'.split('')))
      .map(
        ([text, at, sign]) =>
          text.slice(0, at % (text.length + 1)) + sign + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => {
        expect(findJsonError(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});
