import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/contract/decode-text.ts';
import { dataDirOf } from '../../src/contract/service/data-dir.ts';
import { problems } from '../../src/contract/problems.ts';
import { rotatedMessage } from '../../src/contract/token/token.ts';
import { pagePath, pagePaths, readPagePath, type WindowPage } from '../../src/contract/window/window-page.ts';
import { findJsonError } from '../../src/contract/find-json-error.ts';
import { type PasteMistake, readPasted } from '../../src/contract/credential/pasted-token.ts';
import { TestConnection } from '../../src/contract/credential/credential-checks.ts';
import { AddCredential } from '../../src/contract/credential/credential.ts';
import { fieldProblemsOf } from '../../src/contract/field-problem.ts';
import { tokenPageOf } from '../../src/contract/credential/provider-inputs.ts';
import type { ProviderChoice } from '../../src/contract/credential/provider.ts';
import { fieldProblemText } from '../../src/text/window/field-errors.ts';

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

describe('what is pasted where a token is wanted', () => {
  it.each([
    'ATATT3xFfGF0aBcDeFgHiJk_lMnOp-qRs=1A2B3C4D',
    '12|AbCdEf0123456789AbCdEf0123456789AbCdEf01',
    'sntrys_eyJpYXQiOjE3MDAwMDAwMDAuMX0=_NDtyKO3XabcDEF0123456789',
    'monitor@pve!probe=11111111-2222-3333-4444-555555555555',
    'sv=2024-01-01&ss=b&sig=abc%2Bdef%3D',
    'user:password',
    'gitlab-ci-token:glcbt-1',
    'JBSWY3DPEHPK3PXP====',
    'dGVzdF9rZXk=',
    'https://hooks.example.com/services/T0/B0/xx',
    'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abc==;EndpointSuffix=core.example.net',
    'SharedAccessSignature sr=https&sig=x&se=1&skn=y',
    'host=db user=x password=y',
    'abcd efgh ijkl mnop',
    'p@$$,w0rd;{}[]',
    String.raw`abc\def`,
    'ünïcode-ключ',
    '[abc]',
    '{"type":"service_account","project_id":"x"}',
    'keybase',
    // Reported: passwords that end in a quote, and one that has some.
    'abc"',
    "it's'",
    'p$x`y`',
    'pa"ss"',
    'a'.repeat(9000),
  ])('is a token as it is: %s', (text) => {
    expect(readPasted(` ${text}\r\n`)).toEqual({ mistakes: [], token: text });
  });

  it.each<[string, readonly PasteMistake[]]>([
    ['"glpat-x"', ['quotes']],
    ["'glpat-x'", ['quotes']],
    ['`glpat-x`', ['quotes']],
    ['“glpat-x”', ['quotes']],
    ['„glpat-x“', ['quotes']],
    ['<glpat-x>', ['quotes']],
    ['"glpat-x",', ['quotes']],
    ['Bearer glpat-x', ['scheme']],
    ['bearer  glpat-x', ['scheme']],
    ['token glpat-x', ['scheme']],
    ['Authorization: Bearer glpat-x', ['header', 'scheme']],
    ['authorization:Bearer glpat-x', ['header', 'scheme']],
    ['PRIVATE-TOKEN: glpat-x', ['header']],
    ['X-Api-Key: glpat-x', ['header']],
    ['-H "Authorization: Bearer glpat-x"', ['header', 'scheme']],
    ['export GITLAB_TOKEN="glpat-x" # of ci', ['assignment', 'quotes']],
    ['GITLAB_TOKEN=glpat-x # of ci', ['assignment']],
    ['curl -H "PRIVATE-TOKEN: glpat-x" https://gitlab.example', ['header']],
    ['GITLAB_TOKEN=glpat-x', ['assignment']],
    ['export GITLAB_TOKEN="glpat-x"', ['assignment', 'quotes']],
    ['GITLAB_TOKEN = glpat-x', ['assignment']],
    ['export GITLAB_TOKEN=glpat-x; export OTHER', ['assignment']],
    ['set GITLAB_TOKEN=glpat-x', ['assignment']],
    ['setx GITLAB_TOKEN "glpat-x"', ['assignment', 'quotes']],
    ['$env:GITLAB_TOKEN = "glpat-x"', ['assignment', 'quotes']],
    ['api_token: glpat-x', ['assignment']],
    ['//registry.example/:_authToken=glpat-x', ['assignment']],
    ['"token": "glpat-x",', ['json', 'quotes']],
    ['{"token":"glpat-x"}', ['json']],
    ['{\n "access_token": "glpat-x",\n "refresh_token": "y"\n}', ['json']],
    ['# a comment\nGITLAB_TOKEN=glpat-x\n', ['lines', 'assignment']],
    ['glpat-\u200bx', ['invisible']],
    ['\u2060glpat-x', ['invisible']],
    ['Bearer\u00a0glpat-x', ['invisible', 'scheme']],
    ['\u00ff\u00feg\0l\0p\0a\0t\0-\0x\0\r\0\n\0', ['utf16']],
    ['\0g\0l\0p\0a\0t\0-\0x', ['utf16']],
    ['\u001b[200~glpat-x\u001b[201~', ['control']],
    ['\u001b[32mglpat-x\u001b[0m', ['control']],
  ])('is more than a token, which is named and found in it: %j', (text, mistakes) => {
    expect(readPasted(text)).toEqual({ mistakes, token: 'glpat-x' });
  });

  it('finds a long token that a window has broken into lines', () => {
    const line = 'a'.repeat(40);
    expect(readPasted(`${line}\n${line}\nbcd`)).toEqual({ mistakes: ['lines'], token: `${line}${line}bcd` });
  });

  it.each<[string, readonly PasteMistake[]]>([
    ['••••••••', ['masked']],
    ['glpat-****************', ['masked']],
    ['first line\nsecond one', ['lines']],
    ['{"token":"a","secret":"b"}', ['json']],
    ['""', ['quotes']],
    ['export GITLAB_TOKEN="glpat-x" and more', ['assignment']],
    ['Bearer glpat-x of ci', ['scheme']],
  ])('has no token that can be told: %j', (text, mistakes) => {
    expect(readPasted(text)).toEqual({ mistakes, token: null });
  });
});

const least = { name: 'deploy', value: 'glpat-1' };

function problemsOf(provider: unknown, more: object = {}): string[] {
  const input = { ...least, provider, ...more };
  const parsed = AddCredential.safeParse(input);
  if (parsed.success) return [];
  return fieldProblemsOf(parsed.error, input).map((one) => `${one.field}: ${fieldProblemText(one)}`);
}

describe('the inputs of a provider', () => {
  it.each<[object, string[]]>([
    [{ kind: 'personal' }, []],
    [{}, []],
    [{ kind: 'project', of: 'group/project', recovery: 'mine' }, []],
    [{ kind: 'runner' }, []],
    [{ kind: 'deploy' }, ['provider.inputs.kind: must be personal, project, group or runner']],
    [{ kind: 'project' }, ['provider.inputs.of: is required; it must be a text of 1 to 500 characters']],
    [{ kind: 'group', of: '' }, ['provider.inputs.of: must be a text of 1 to 500 characters']],
    [{ kind: 'group', of: 'a\nb' }, ['provider.inputs.of: must be a text of 1 to 500 characters']],
    [
      { kind: 'group', of: 'a\u202eb' },
      [
        'provider.inputs.of: must have no line breaks, other control characters, invisible characters, or marks that turn the direction of a text',
      ],
    ],
    [{ of: 'group/project' }, ['provider.inputs.of: is only for kind project or group']],
    [
      { kind: 'runner', recovery: 'mine' },
      ['provider.inputs.recovery: is only for kind personal, project or group'],
    ],
    [{ project: '7' }, ['provider.inputs.project: is not an input of gitlab; allowed: kind, of, recovery']],
    [{ kind: 7 }, ['provider.inputs.kind: must be a text']],
  ])('%j: %j', (inputs, problems) => {
    expect(problemsOf({ id: 'gitlab', inputs })).toEqual(problems);
  });

  it('are none for a service with the Rotavox API', () => {
    expect(problemsOf({ id: 'rotavox', inputs: { kind: 'project' } })).toEqual([
      'provider.inputs.kind: is not an input of rotavox; it has none',
    ]);
  });

  it('are checked also while other fields are missing', () => {
    expect(problemsOf({ id: 'gitlab', inputs: { kind: 'group' } }, { value: undefined })).toEqual([
      expect.stringMatching(/^value: is required/),
      expect.stringMatching(/^provider\.inputs\.of: is required/),
    ]);
  });

  it('need a provider that exists', () => {
    expect(problemsOf({ id: 'Git ea' })).toEqual([
      'provider.id: must be the id of a provider: lower-case letters, digits, dashes and underscores',
    ]);
    // It may be that of a file, which only the service knows.
    expect(problemsOf({ id: 'gitea', inputs: { any: 'x' } })).toEqual([]);
    expect(problemsOf('gitlab')).toEqual(['provider: must be a JSON object with the id of a provider']);
  });

  it('get the defaults of choices that apply', () => {
    const added = AddCredential.parse({ ...least, provider: { id: 'gitlab' } });
    expect(added.provider).toEqual({ id: 'gitlab', inputs: { kind: 'personal' } });
    expect(AddCredential.parse(least)).not.toHaveProperty('provider');
  });
});

describe('the address of a provider', () => {
  const gitlab = { id: 'gitlab', inputs: {} };

  it.each([AddCredential, TestConnection])('is the usual one unless another is given', (schema) => {
    const named = schema === AddCredential ? least : { value: 'glpat-1' };
    const addressOf = (more: object) => schema.parse({ ...named, ...more }).base_url;
    expect(addressOf({ provider: gitlab })).toBe('https://gitlab.com');
    expect(addressOf({ provider: gitlab, base_url: null })).toBe('https://gitlab.com');
    expect(addressOf({ provider: gitlab, base_url: 'https://example.com/gitlab/' })).toBe(
      'https://example.com/gitlab',
    );
    expect(addressOf({})).toBeNull();
    expect(addressOf({ provider: { id: 'rotavox', inputs: {} } })).toBeNull();
  });
});

describe('the page of a service where a token is created', () => {
  const at = 'https://example.com/gitlab';
  it.each<[ProviderChoice['inputs'], string]>([
    [{ kind: 'personal' }, `${at}/-/user_settings/personal_access_tokens`],
    [{ kind: 'project', of: 'group/app' }, `${at}/group/app/-/settings/access_tokens`],
    [{ kind: 'group', of: 'group' }, `${at}/groups/group/-/settings/access_tokens`],
    // A number is no part of a page's address, and runners have no page that everybody may see.
    [{ kind: 'project', of: '7' }, at],
    [{ kind: 'runner' }, at],
  ])('of %j', (inputs, page) => {
    expect(tokenPageOf({ id: 'gitlab', inputs }, at)).toBe(page);
  });

  it('is the address itself where no page is known', () => {
    expect(tokenPageOf({ id: 'rotavox', inputs: {} }, at)).toBe(at);
  });
});
