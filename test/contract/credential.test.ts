import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { BaseUrl, unfitNameError } from '../../src/contract/shapes.ts';
import {
  AddCredential,
  ChangePolicy,
  CredentialName,
  DeliveryTarget,
  PauseCredential,
  ReplaceValue,
  RotationPolicy,
  TokenValue,
} from '../../src/contract/credential/credential.ts';
import { fieldProblemsOf } from '../../src/contract/field-problem.ts';
import { fieldErrors } from '../../src/text/window/field-errors.ts';

/** What is wrong with an input, field by field, in the words of the answer; empty when nothing is. */
function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const parsed = schema.safeParse(input);
  if (parsed.success) return [];
  const errors = fieldErrors(fieldProblemsOf(parsed.error, input));
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

describe('a base_url', () => {
  const sentence =
    ': must be the address of a service, such as https://api.example.com: https (http on this machine only), no user, ? or #';

  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com:8443', 'https://api.example.com:8443'],
    ['https://10.0.0.7', 'https://10.0.0.7'],
    ['https://[2001:db8::1]:443', 'https://[2001:db8::1]:443'],
    // A slash at the end says nothing; a path does.
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com///', 'https://api.example.com'],
    ['https://api.example.com/smart/flo/', 'https://api.example.com/smart/flo'],
    ['https://api.example.com/a@b', 'https://api.example.com/a@b'],
    ['https://api.example.com/a%20b', 'https://api.example.com/a%20b'],
    // As it was written, in any case and any script.
    ['HTTPS://API.Example.COM/V1', 'HTTPS://API.Example.COM/V1'],
    ['https://bücher.example/ü', 'https://bücher.example/ü'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    // Pasted with space around it, or broken over two lines.
    [' https://api.example.com\n', 'https://api.example.com'],
    ['https://api.example\n.com', 'https://api.example.com'],
    // This machine.
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://127.8.9.1:7682', 'http://127.8.9.1:7682'],
    ['http://localhost:7682/x', 'http://localhost:7682/x'],
    ['http://LOCALHOST', 'http://LOCALHOST'],
    ['http://[::1]:7682/', 'http://[::1]:7682'],
    [`https://api.example.com/${'x'.repeat(476)}`, `https://api.example.com/${'x'.repeat(476)}`],
  ])('may be %j', (text, kept) => {
    expect(BaseUrl.parse(text)).toBe(kept);
  });

  it.each([
    ['of another scheme', 'ftp://api.example.com'],
    ['without encryption to elsewhere', 'http://api.example.com'],
    ['without encryption to the network', 'http://10.0.0.7'],
    ['with a name that begins like this machine', 'http://127.0.0.1.evil.example'],
    ['with a name that begins like localhost', 'http://localhost.evil.example'],
    ['with a name that ends like localhost', 'http://evil.localhost'],
    ['with this machine as the user', 'http://127.0.0.1@evil.example'],
    ['with this machine as user and password', 'http://localhost:80@evil.example'],
    ['with this machine in short', 'http://127.1'],
    ['with this machine as one number', 'http://2130706433'],
    ['with this machine in hexadecimal', 'http://0x7f.0.0.1'],
    ['with no such address', 'http://127.0.0.999'],
    ['with all addresses', 'http://0.0.0.0'],
    ['with a user', 'https://me@api.example.com'],
    ['with a user and a password', 'https://me:secret@api.example.com'],
    ['with an empty user', 'https://@api.example.com'],
    ['with a user in disguise', 'https://me%40x@api.example.com'],
    ['with a query', 'https://api.example.com/?key=1'],
    ['with an empty query', 'https://api.example.com/?'],
    ['with a hash', 'https://api.example.com/#top'],
    ['with an empty hash', 'https://api.example.com#'],
    ['with a backslash', 'https://api.example.com\\@evil.example'],
    ['with a space', 'https://api.example.com/a b'],
    ['with a NUL', 'https://api.example.com/\u0000'],
    ['with an escape of the terminal', 'https://api.example.com/\u001b[31m'],
    ['with letters that turn around', 'https://api.example.com/\u202emoc.live'],
    ['with a letter that nobody sees', 'https://api.exa\u200bmple.com'],
    ['with half a letter', 'https://api.example.com/\ud800'],
    ['without a name', 'https://'],
    ['with slashes instead of a name', 'https:///x'],
    ['without slashes', 'https:api.example.com'],
    ['without a scheme', 'api.example.com'],
    ['with no such port', 'https://api.example.com:99999'],
    ['with no such port on this machine', 'http://localhost:99999'],
    ['that is relative', '/v1'],
    ['that is empty', ''],
    ['that is too long', `https://api.example.com/${'x'.repeat(477)}`],
    ['that is much too long', `https://${'/'.repeat(200_000)}`],
    ['that is no text', 7],
    ['that is no text', ['https://api.example.com']],
  ])('is refused, with one sentence, %s', (_which, text) => {
    expect(faultsOf(BaseUrl, text)).toEqual([sentence]);
  });
});

describe('the name of a credential', () => {
  it.each(['a', '7', 'smartflo-prod', 'A.b_c-9', 'constructor', 'x'.repeat(63)])('may be %j', (name) => {
    expect(CredentialName.parse(name)).toBe(name);
  });

  it.each([
    '',
    ' a',
    'a b',
    'a\n',
    '.a',
    '..',
    '-a',
    '_a',
    '__proto__',
    'a/b',
    'a\\b',
    'a (pending)',
    'ä',
    'a\u0000',
    'x'.repeat(64),
    7,
    null,
    ['a'],
  ])('is refused when it is %j', (name) => {
    expect(faultsOf(CredentialName, name)).toEqual([
      ': must have 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or a digit',
    ]);
  });
});

describe('the value of a token', () => {
  it.each([
    ['rvx_abc', 'rvx_abc'],
    ['eyJhbGci.eyJzdWIi.c2ln-_', 'eyJhbGci.eyJzdWIi.c2ln-_'],
    ['a+b/c~d==', 'a+b/c~d=='],
    ['  pasted\r\n', 'pasted'],
    ['x'.repeat(65_536), 'x'.repeat(65_536)],
    [`${' '.repeat(90_000)}x`, 'x'],
    // As services really give them.
    ['ATATT3xFfGF0aBcDeFgHiJk_lMnOp-qRs=1A2B3C4D', 'ATATT3xFfGF0aBcDeFgHiJk_lMnOp-qRs=1A2B3C4D'],
    ['12|AbCdEf0123$&@!%,;x', '12|AbCdEf0123$&@!%,;x'],
    ['monitor@pve!probe=11111111-2222', 'monitor@pve!probe=11111111-2222'],
    ['sv=2024-01-01&ss=b&sig=abc%2Bdef%3D', 'sv=2024-01-01&ss=b&sig=abc%2Bdef%3D'],
    ['abcd efgh ijkl mnop', 'abcd efgh ijkl mnop'],
    ['a"b', 'a"b'],
    ['ü', 'ü'],
  ])('may be %j', (text, kept) => {
    expect(TokenValue.parse(text)).toBe(kept);
  });

  it.each(['', '  ', 'x'.repeat(65_537), '\ud800', 7, null])('is refused when it is %j', (text) => {
    expect(faultsOf(TokenValue, text)).toEqual([
      ': must be a token: a text of 1 to 65536 characters on one line',
    ]);
  });

  it.each([
    ['"secret"', ': must be the token alone, without the quotes around it'],
    ['Bearer secret', ': must be the token alone, without a word such as Bearer before it'],
    ['API_TOKEN=secret', ': must be the token alone, not a whole line with its name'],
    ['sec\nret', ': must be the token alone, on one line'],
    ['ÿþs\0e\0', ': must be the token alone: this is text in UTF-16, as PowerShell writes files'],
    ['se\ufffdret', ': must be the token itself: a character of it was lost before it came here'],
  ])('names the mistake in %j, and not the token', (text, fault) => {
    expect(faultsOf(TokenValue, text)).toEqual([fault]);
    expect(fault).not.toContain('ret');
  });
});

describe('a policy', () => {
  const hours = { from: '22:00', to: '06:00' };
  it.each([
    { fraction: 0.1, preferred_hours: null },
    { fraction: 0.9, preferred_hours: hours },
    { fraction: 2 / 3, preferred_hours: { from: '00:00', to: '23:59' } },
    { fraction: 0.5, preferred_hours: { from: '02:00', to: '02:00' } },
  ])('may be %j', (policy) => {
    expect(RotationPolicy.parse(policy)).toEqual(policy);
  });

  const fraction = 'fraction: must be a number from 0.1 to 0.9';
  const object = 'preferred_hours: must be null or a JSON object with two times of day: from and to';
  const clock = 'must be a time of day, such as 02:30';
  it.each<[unknown, string[]]>([
    [{ fraction: 0.0999 }, [fraction]],
    [{ fraction: 0.9001 }, [fraction]],
    [{ fraction: '0.5' }, [fraction]],
    [{ fraction: null }, [fraction]],
    [{ fraction: Number.NaN }, [fraction]],
    [{ preferred_hours: 'night' }, [object]],
    [{ preferred_hours: ['22:00', '06:00'] }, [object]],
    [{ preferred_hours: { from: '22:00' } }, [`preferred_hours.to: is required; it ${clock}`]],
    [
      { preferred_hours: { from: '24:00', to: '6:00' } },
      [`preferred_hours.from: ${clock}`, `preferred_hours.to: ${clock}`],
    ],
    [
      { preferred_hours: { from: '22:60', to: '22:00:00' } },
      [`preferred_hours.from: ${clock}`, `preferred_hours.to: ${clock}`],
    ],
    [
      { preferred_hours: { from: 22, to: '٠٢:٠٠' } },
      [`preferred_hours.from: ${clock}`, `preferred_hours.to: ${clock}`],
    ],
    [
      { preferred_hours: { ...hours, zone: 'UTC' } },
      ['preferred_hours.zone: is not a field of this request'],
    ],
    [{ fracton: 0.5 }, ['fracton: is not a field of this request']],
    [undefined, [': must be a JSON object']],
    [null, [': must be a JSON object']],
    [[], [': must be a JSON object']],
    ['x', [': must be a JSON object']],
  ])('cannot be changed by %j', (wanted, faults) => {
    expect(faultsOf(ChangePolicy, wanted)).toEqual(faults);
  });

  it('is whole only with both of its parts; a change may name one, or none', () => {
    expect(faultsOf(RotationPolicy, {})).toHaveLength(2);
    for (const wanted of [{}, { fraction: 0.5 }, { preferred_hours: null }])
      expect(ChangePolicy.parse(wanted)).toEqual(wanted);
  });
});

describe('a delivery target', () => {
  const text = 'must be a text of 1 to 200 characters';
  const own = 'service: must not be rotavox: those entries are the ones that Rotavox keeps for itself';
  const path = 'path: must be an absolute path of 4096 characters at most';
  const variable =
    'variable: must be a variable name: letters, digits and underscores, not beginning with a digit';
  const plain =
    'must not have line breaks, other control characters, or marks that turn the direction of a text';
  const part = 'must be a text of 4096 characters at most, without NUL characters';
  const limit = 'time_limit_seconds: must be a whole number of seconds from 1 to 240';
  const keychain = { kind: 'keychain', service: 'app', account: 'me' };
  const file = { kind: 'file', path: '/srv/token' };
  const dotenv = { kind: 'dotenv', path: '/srv/.env' };
  const hook = { kind: 'hook', command: ['notify'] };
  const setting = { kind: 'setting', path: '/srv/app.json', key: 'a.b' };
  const hookDefaults = { pass: 'stdin', variable: 'ROTAVOX_TOKEN', time_limit_seconds: 30 };

  it.each<[object, object]>([
    [keychain, keychain],
    [
      { ...keychain, service: 'My app ü', account: 'x'.repeat(200) },
      { ...keychain, service: 'My app ü', account: 'x'.repeat(200) },
    ],
    [file, file],
    [
      { ...file, path: 'C:\\Users\\me\\token' },
      { ...file, path: 'C:\\Users\\me\\token' },
    ],
    [
      { ...file, path: 'c:/token' },
      { ...file, path: 'c:/token' },
    ],
    [
      { ...file, path: '/srv/ü 100% "it\'s" 文' },
      { ...file, path: '/srv/ü 100% "it\'s" 文' },
    ],
    [
      { ...file, path: '\\\\server\\share\\token' },
      { ...file, path: '\\\\server\\share\\token' },
    ],
    [dotenv, { ...dotenv, variable: 'ROTAVOX_TOKEN' }],
    [
      { ...dotenv, variable: '_a9' },
      { ...dotenv, variable: '_a9' },
    ],
    [
      { ...dotenv, variable: 'A'.repeat(128) },
      { ...dotenv, variable: 'A'.repeat(128) },
    ],
    ...[
      setting,
      { ...setting, path: '/srv/.npmrc', key: '//r.example.com/:_authToken' },
      {
        ...setting,
        path: '/srv/x',
        format: 'yaml',
        key: 'users[name="a b"].user."c.d"[0]',
      },
      { ...setting, template: 'Bearer {token}', encoding: 'base64', create: true, mode: '0640' },
    ].map((one): [object, object] => [one, one]),
    [hook, { ...hook, ...hookDefaults }],
    [
      { ...hook, command: ['a', '', '-x y'], pass: 'env', variable: 'T', time_limit_seconds: 240 },
      { kind: 'hook', command: ['a', '', '-x y'], pass: 'env', variable: 'T', time_limit_seconds: 240 },
    ],
    [
      { ...hook, command: ['sh', '-c', 'read token\n\tnotify'] },
      { ...hook, ...hookDefaults, command: ['sh', '-c', 'read token\n\tnotify'] },
    ],
    [
      { ...hook, command: Array.from({ length: 100 }, () => 'x'), time_limit_seconds: 1 },
      {
        kind: 'hook',
        ...hookDefaults,
        command: Array.from({ length: 100 }, () => 'x'),
        time_limit_seconds: 1,
      },
    ],
  ])('may be %j', (target, kept) => {
    expect(DeliveryTarget.parse(target)).toEqual(kept);
  });

  const kinds = 'keychain, file, dotenv, setting or hook';
  it.each<[unknown, string[]]>([
    [undefined, [`: must be a JSON object with a kind: ${kinds}`]],
    [null, [`: must be a JSON object with a kind: ${kinds}`]],
    ['file', [`: must be a JSON object with a kind: ${kinds}`]],
    [[file], [`: must be a JSON object with a kind: ${kinds}`]],
    [{}, [`kind: is required; it must be ${kinds}`]],
    [{ kind: 'File', path: '/x' }, [`kind: must be ${kinds}`]],
    [{ kind: 7 }, [`kind: must be ${kinds}`]],
    [{ kind: '__proto__' }, [`kind: must be ${kinds}`]],

    [{ kind: 'keychain' }, [`service: is required; it ${text}`, `account: is required; it ${text}`]],
    [{ ...keychain, service: '' }, [`service: ${text}`]],
    [{ ...keychain, account: 'x'.repeat(201) }, [`account: ${text}`]],
    [{ ...keychain, account: 'a\u0000b' }, [`account: ${text}`]],
    [{ ...keychain, account: '\udc00' }, [`account: ${text}`]],
    [{ ...keychain, account: 7 }, [`account: ${text}`]],
    [{ ...keychain, account: 'me\u202e' }, [`account: ${unfitNameError}`]],
    [{ ...keychain, service: 'rotavox\u200b' }, [`service: ${unfitNameError}`]],
    [{ ...keychain, service: 'rotavox' }, [own]],
    [{ ...keychain, service: 'ROTAVOX' }, [own]],
    ...['rotavox-probe', 'Rotavox Safe Storage'].map((service): [unknown, string[]] => [
      { ...keychain, service },
      [own.replace('rotavox', service.toLowerCase())],
    ]),
    [{ ...keychain, path: '/x' }, ['path: is not a field of this request']],

    [{ kind: 'file' }, ['path: is required; it must be an absolute path of 4096 characters at most']],
    ...[
      '',
      'token',
      './token',
      '../token',
      '~/token',
      'C:token',
      'file:///token',
      '\\token',
      '/a\u0000b',
      `/${'x'.repeat(4096)}`,
      7,
    ].map((wrong): [unknown, string[]] => [{ ...file, path: wrong }, [path]]),
    ...[
      '/srv/token\nExecStartPre=/bin/false',
      '/srv/token\r',
      '/srv/\ttoken',
      '/srv/\u001b[2Jtoken',
      '/srv/token\u007f',
      '/srv/token\u0085',
      '/srv/token\u2028',
      '/srv/\u2029token',
      '/srv/\u061ctoken',
      '/srv/\u200ftoken',
      '/srv/\u202enekot',
      '/srv/\u2066token',
      '/srv/\ud800',
      'C:\\app\\token\n',
    ].map((wrong): [unknown, string[]] => [{ ...dotenv, path: wrong }, [`path: ${plain}`]]),
    [{ ...file, variable: 'A' }, ['variable: is not a field of this request']],

    [
      { kind: 'dotenv', variable: '9' },
      ['path: is required; it must be an absolute path of 4096 characters at most', variable],
    ],
    ...['', '9a', 'a-b', 'a b', 'a=b', 'ä', 'A\n', 'A'.repeat(129), null, 7].map(
      (wrong): [unknown, string[]] => [{ ...dotenv, variable: wrong }, [variable]],
    ),

    [
      { ...setting, path: '/srv/x' },
      [expect.stringMatching(/^format: is required; it must be json, yaml, toml, or ini: the name/)],
    ],
    ...['', 'a..b', 'a.', '.a', 'a[', 'a[x]', 'a b', '"a', 'a"b"'].map((wrong): [unknown, string[]] => [
      { ...setting, key: wrong },
      [expect.stringMatching(/^key: must be the key of one value/) as string],
    ]),
    ...['', '[]a', '[a]', 'a=b', '# a', ' a'].map((wrong): [unknown, string[]] => [
      { ...setting, path: '/srv/x.ini', key: wrong },
      [expect.stringMatching(/^key: must be the key of one value/) as string],
    ]),
    ...['', 'x', '{token}{token}', 'a\n{token}'].map((wrong): [unknown, string[]] => [
      { ...setting, template: wrong },
      [expect.stringMatching(/^template: must /) as string],
    ]),
    [{ ...setting, encoding: 'hex' }, ['encoding: must be base64, or left out']],
    [{ ...setting, create: false }, ['create: must be true, or left out']],
    [{ kind: 'hook' }, ['command: is required; it must be a list: the program and its arguments']],
    [{ ...hook, command: 'notify -x' }, ['command: must be a list: the program and its arguments']],
    [{ ...hook, command: [] }, ['command: must name a program']],
    [{ ...hook, command: ['', 'x'] }, ['command: must name a program']],
    [{ ...hook, command: Array.from({ length: 101 }, () => 'x') }, ['command: must have 100 parts at most']],
    [{ ...hook, command: ['a', 'b\u0000'] }, [`command[1]: ${part}`]],
    [{ ...hook, command: ['/bin/a\nb', 'x\ny'] }, [`command[0]: ${plain}`]],
    [{ ...hook, command: ['a', 7, null] }, [`command[1]: ${part}`, `command[2]: ${part}`]],
    [{ ...hook, command: ['a', 'x'.repeat(4097)] }, [`command[1]: ${part}`]],
    [{ ...hook, pass: 'argument' }, ['pass: must be stdin or env']],
    [{ ...hook, pass: null }, ['pass: must be stdin or env']],
    [{ ...hook, variable: 'a-b' }, [variable]],
    ...[0, 241, 1.5, -1, '30', null].map((wrong): [unknown, string[]] => [
      { ...hook, time_limit_seconds: wrong },
      [limit],
    ]),
    [{ ...hook, shell: true }, ['shell: is not a field of this request']],
  ])('is refused when it is %j', (target, faults) => {
    expect(faultsOf(DeliveryTarget, target)).toEqual(faults);
  });
});

describe('the request to add a credential', () => {
  const least = { name: 'a', value: 'v' };
  const instant = 'must be an instant like 2026-12-31T23:59:59Z';
  const days = 'validity_days: must be a whole number of days from 1 to 3650';

  it('needs a name and a value, and is about this service when it names none', () => {
    expect(AddCredential.parse(least)).toEqual({ ...least, base_url: null });
    expect(AddCredential.parse({ ...least, base_url: null })).toEqual({ ...least, base_url: null });
    expect(faultsOf(AddCredential, {})).toEqual([
      'name: is required; it must have 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or a digit',
      'value: is required; it must be a token: a text of 1 to 65536 characters on one line',
    ]);
  });

  it.each<object>([
    { validity_days: 1 },
    { validity_days: 3650 },
    { expires_at: '2026-12-31T23:59:59Z' },
    { expires_at: '2026-12-31T23:59:59.123+05:30' },
    { policy: {} },
    { policy: { fraction: 0.5 } },
    { base_url: 'https://api.example.com' },
  ])('may say %j', (more) => {
    expect(AddCredential.parse({ ...least, ...more })).toMatchObject({ ...least, ...more });
  });

  it.each<[unknown, string[]]>([
    ...[0, 3651, 1.5, '7', null].map((wrong): [unknown, string[]] => [
      { ...least, validity_days: wrong },
      [days],
    ]),
    ...['soon', '2026-12-31', '2026-12-31T23:59:59', '2026-02-30T00:00:00Z', 7, null].map(
      (wrong): [unknown, string[]] => [{ ...least, expires_at: wrong }, [`expires_at: ${instant}`]],
    ),
    [{ ...least, policy: null }, ['policy: must be a JSON object']],
    [{ ...least, policy: { fraction: 2 } }, ['policy.fraction: must be a number from 0.1 to 0.9']],
    [{ ...least, policy: { x: 1 } }, ['policy.x: is not a field of this request']],
    [{ ...least, targets: [] }, ['targets: is not a field of this request']],
    [undefined, [': must be a JSON object']],
    [[least], [': must be a JSON object']],
  ])('is refused when it is %j', (wanted, faults) => {
    expect(faultsOf(AddCredential, wanted)).toEqual(faults);
  });

  it('and the one to replace a value differ: a new value changes neither name nor policy', () => {
    expect(ReplaceValue.parse({ value: ' v ', validity_days: 7 })).toEqual({ value: 'v', validity_days: 7 });
    for (const field of ['name', 'base_url', 'policy']) {
      expect(faultsOf(ReplaceValue, { value: 'v', [field]: null })).toEqual([
        `${field}: is not a field of this request`,
      ]);
    }
    expect(faultsOf(ReplaceValue, undefined)).toEqual([': must be a JSON object']);
  });

  it('and the one to pause may end at an instant', () => {
    expect(PauseCredential.parse({})).toEqual({});
    expect(PauseCredential.parse({ until: '2026-12-31T23:59:59Z' })).toEqual({
      until: '2026-12-31T23:59:59Z',
    });
    expect(faultsOf(PauseCredential, { until: 'tomorrow' })).toEqual([`until: ${instant}`]);
    expect(faultsOf(PauseCredential, { for: 7 })).toEqual(['for: is not a field of this request']);
    expect(faultsOf(PauseCredential, [])).toEqual([': must be a JSON object']);
  });
});
