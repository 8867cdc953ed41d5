import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseJson } from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { settingEditor } from '../../../src/agent/delivery/setting/edit-setting.ts';
import { SettingRefused } from '../../../src/agent/delivery/setting/setting-source.ts';
import type { DeliveryTargetOf } from '../../../src/contract/credential/credential.ts';
import { maskedValue } from '../../../src/contract/credential/credential-checks.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext, previewIn } from './preview-setup.ts';

type Options = Partial<DeliveryTargetOf<'setting'>>;

function write(name: string, content: string, mode = 0o600): string {
  const path = join(makeFolder(), name);
  writeFileSync(path, content, { mode });
  return path;
}

function deliverTo(path: string, key: string, options: Options = {}, token = 'new') {
  return deliver({ kind: 'setting', path, key, ...options }, token, makeContext());
}

async function edited(path: string, content: string, key: string, token: string): Promise<string | null> {
  try {
    return (await settingEditor({ path, key }, token))(Buffer.from(content)).content.toString();
  } catch (error) {
    if (error instanceof SettingRefused && error.reason === 'unwritable') return null;
    throw error;
  }
}

describe('a settings target', () => {
  it('is written and has it already the next time; its mode stays', async () => {
    const path = write('app.json', '{\n  "Api": { "Token": "old" } // ours\n}\n', 0o640);
    expect(await deliverTo(path, 'Api.Token')).toEqual({ ok: true, note: null });
    expect(readFileSync(path, 'utf8')).toBe('{\n  "Api": { "Token": "new" } // ours\n}\n');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const { ino } = statSync(path);
    expect(await deliverTo(path, 'Api.Token')).toMatchObject({ ok: true });
    expect(statSync(path).ino).toBe(ino);
  });

  it('says why not, and changes nothing', async () => {
    const path = write('app.json', '{"a": 1}');
    expect(await deliverTo(path, 'a')).toEqual({
      ok: false,
      retry: true,
      problem: { code: 'setting', reason: 'not_text', path, key: 'a', line: 1 },
    });
    expect(await deliverTo(path, 'b', { create: true }, 'a\nb')).toMatchObject({ ok: false, retry: false });
    expect(readFileSync(path, 'utf8')).toBe('{"a": 1}');
  });

  it('loses no value when several are delivered into it at once', async () => {
    const keys = Array.from({ length: 10 }, (_, place) => `key${place}`);
    const path = write('app.toml', keys.map((key) => `${key} = "old"\n`).join(''));
    await Promise.all(keys.map((key) => deliverTo(path, key, {}, `token-of-${key}`)));
    expect(readFileSync(path, 'utf8')).toBe(keys.map((key) => `${key} = "token-of-${key}"\n`).join(''));
  });

  it('is shown beforehand: the line, and nothing else of the file', async () => {
    const path = write('.npmrc', '; secret\n//r/:_authToken=old\n');
    const target = { kind: 'setting', path, key: '//r/:_authToken' } as const;
    expect(await previewIn(join(path, '..'), target)).toEqual({
      possible: true,
      exists: true,
      place: path,
      findings: [
        { code: 'setting_changed', place: path, key: target.key, line: 2 },
        { code: 'rest_unchanged' },
        { code: 'mode_kept', mode: '600' },
      ],
      lines: [
        { number: 2, before: `//r/:_authToken=${maskedValue}`, after: `//r/:_authToken=${maskedValue}` },
      ],
    });
    const missing = { ...target, path: join(path, '..', 'x.json'), key: 'a' } as const;
    expect(await previewIn(join(path, '..'), missing)).toMatchObject({
      possible: false,
      findings: [{ code: 'impossible', problem: { code: 'setting', reason: 'missing', line: null } }],
    });
    expect(await previewIn(join(path, '..'), { ...missing, create: true })).toMatchObject({
      possible: true,
      exists: false,
      findings: [{ code: 'setting_created', key: 'a' }],
      lines: [{ number: 2, before: null, after: `"a": "${maskedValue}"` }],
    });
  });
});

describe('what was reported of other programs', () => {
  it.each([
    // npm/cli#352, npm/npm#7771: `npm config set` removed the comments, and the registries that were commented out.
    ['.npmrc', '# work\n;//old.example.com/:_authToken=x\n//r/:_authToken=old\n', '//r/:_authToken'],
    // npm/cli#6183, npm/npm#18924: variables in other lines were replaced by their values.
    ['.npmrc', '//a/:_authToken=${OTHER}\n//r/:_authToken=old\n', '//r/:_authToken'],
    // aspnet/Templating#276: appsettings.json of Visual Studio begins with a byte order mark.
    ['appsettings.json', '\uFEFF{\r\n  "T": "old"\r\n}\r\n', 'T'],
    // nogic1008/WritableOptions.Net#308, #314: comments and trailing commas of other sections were lost.
    ['appsettings.json', '{\n  /* a */ "A": [1, 2,],\n  "T": "old", // t\n}', 'T'],
    // eemeli/yaml#28, #207: blank lines and the place of comments changed.
    ['a.yaml', 'a:\n  - b\n\nt: old          # aligned\nlong: x    # aligned\n\n# End\n# End 2\n', 't'],
    // nodeca/js-yaml#640, #711: quotes and blocks of other values changed.
    ['a.yaml', 'n: |-\n  user;  # x\n\n  log;\np:\n  - "43301:80"\nt: old\nq: \'1Gi\'\n', 't'],
    // rust-lang/cargo#2183, #13402: `cargo login` removed comments, later they were doubled.
    ['credentials.toml', '# vim: ft=toml\n[r]\nx.y = 1\n# z = 2\n\nt = "old" # t\n\n# end\n', 'r.t'],
    // `kubectl config` drops the comments of a kubeconfig.
    [
      'config.yaml',
      '# ci\nusers: # all\n- name: ci # me\n  user: {token: "old"} # t\n',
      'users[name=ci].user.token',
    ],
    // A byte order mark, CRLF and no line break at the end, as editors of Windows leave them.
    ['.npmrc', '\uFEFF//r/:_authToken=old\r\nfund=false', '//r/:_authToken'],
    ['pip.ini', '\uFEFF[global]\r\ntimeout = 1\r\nindex-url = old', '[global]index-url'],
    ['a.yaml', '\uFEFF---\r\nt: old\r\nb: |\r\n  x\r\n...', 't'],
    ['uv.toml', '\uFEFFa.b = [\r\n  1,\r\n]\r\n"t" = "old"', 't'],
    // Array of tables, and an inline table with a dotted key.
    [
      'uv.toml',
      '[[index]]\nname = "a"\n[[index]]\nname = "b"\nx = { y.t = "old" } # t\n',
      'index[name=b].x.y.t',
    ],
  ])('stays whole: %s, %j', async (name, before, key) => {
    const path = write(name, before);
    expect(await deliverTo(path, key)).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe(
      before.replace('"old"', '"new"').replace(/([ =])old( |$)/m, '$1new$2'),
    );
  });

  it('adds a value to a block with odd comments and leaves them (mikefarah/yq#1248)', async () => {
    const before = 'Something:\n# Something comment\n\n  Other:\n  # Other comment\n\n    X: Y\n';
    const path = write('a.yaml', before);
    expect(await deliverTo(path, 'Something.Other.Z', { create: true })).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe(`${before}    Z: "new"\n`);
  });

  it('adds a password after servers on lines of their own, as .pypirc lists them', async () => {
    const before = '[distutils]\nindex-servers =\n    pypi\n\n    # ours\n    mine\n\n[mine]\nusername: me';
    const path = write('.pypirc', before);
    expect(await deliverTo(path, '[mine]password', { create: true })).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe(`${before}\npassword = new`);
    expect(await deliverTo(path, '[distutils]x', { create: true })).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe(`${before}\npassword = new`.replace('mine\n', 'mine\nx =new\n'));
  });

  it('makes a kubeconfig for its owner only, and keeps the mode of one that is there (scaleway-cli#2211, rancher-desktop#362)', async () => {
    const made = join(makeFolder(), 'config.yaml');
    expect(await deliverTo(made, 'token', { create: true })).toMatchObject({ ok: true });
    expect(statSync(made).mode & 0o777).toBe(0o600);
    const there = write('config.yaml', 'token: old\n');
    chmodSync(there, 0o644);
    expect(await deliverTo(there, 'token')).toMatchObject({ ok: true });
    expect(statSync(there).mode & 0o777).toBe(0o644);
  });

  it('writes a kubeconfig where its link leads (azure-cli#22800, #33156)', async () => {
    const path = write('my-config.yaml', 'token: old\n');
    const link = join(makeFolder(), 'config.yaml');
    symlinkSync(path, link);
    expect(await deliverTo(link, 'token')).toMatchObject({ ok: true });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('token: new\n');
  });

  it('leaves the variable of a token alone (sourcegraph#7440)', async () => {
    const path = write('.npmrc', '//r/:_authToken=${NPM_TOKEN}\n');
    expect(await deliverTo(path, '//r/:_authToken')).toMatchObject({ problem: { reason: 'reference' } });
  });

  it.each([
    // redis/redis-py#579, redis/ioredis#380: keys of a cloud's caches are base64.
    ['c.yaml', 'u: old\n', 'u', 'redis://:{token}@cache.example.com:6380/0', 'iAITMl7lD127c/VZEl0+ZI='],
    // pypa/pip#6961 and #10017: it fails to read the address.
    [
      'pip.conf',
      '[global]\nindex-url = old\n',
      '[global]index-url',
      'https://me:{token}@pypi.example.com/simple',
      'a^b#c',
    ],
    ['uv.toml', 'url = "old"\n', 'url', 'https://me:{token}@pypi.example.com/simple', 'p@ss:w%rd[1]'],
    ['a.json', '{"f": "old"}', 'f', 'https://feed.example.com/rss?key={token}', 'a&b=c d+e'],
  ])('encodes the token within an address: %s %s', async (name, before, key, template, token) => {
    const path = write(name, before);
    expect(await deliverTo(path, key, { template }, token)).toMatchObject({ ok: true });
    const [, written = ''] = /(\w+:\/\/[^"\n]*)/.exec(readFileSync(path, 'utf8')) ?? [];
    const { password, searchParams, host } = new URL(written);
    expect(host).toBe(new URL(template).host);
    expect(searchParams.get('key') ?? decodeURIComponent(password)).toBe(token);
    expect(await deliverTo(path, key, { template }, token)).toMatchObject({ ok: true });
  });

  it.each([
    // What may stand there is left as it is: an INI file of Python can hold no percent sign.
    [
      'alembic.ini',
      '[alembic]\nsqlalchemy.url = old\n',
      '[alembic]sqlalchemy.url',
      'postgresql://me:{token}@db/x',
      'dGVz+A==',
    ],
    ['a.json', '{"a": "old"}', 'a', 'https://api.example.com/bot{token}/send', '123:AB-c'],
  ])(
    'leaves a token within an address that may stand there: %s',
    async (name, before, key, template, token) => {
      const path = write(name, before);
      expect(await deliverTo(path, key, { template }, token)).toMatchObject({ ok: true });
      expect(readFileSync(path, 'utf8')).toBe(before.replace('old', template.replace('{token}', token)));
    },
  );

  it.each([
    ['https://{token}@example.com/', 'a:b', 'https://a%3Ab@example.com/'],
    ['--index-url https://me:{token}@example.com/', 'a/b', '--index-url https://me:a%2Fb@example.com/'],
  ])('encodes it as a user, and within a line: %s', async (template, token, written) => {
    const path = write('a.json', '{"a": "old"}');
    expect(await deliverTo(path, 'a', { template }, token)).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: written });
  });

  it('adds no index-url beside an index_url, which pip takes for the same', async () => {
    const path = write('pip.conf', '[global]\nindex_url = https://old.example.com\n');
    expect(await deliverTo(path, '[global]index-url', { create: true })).toMatchObject({
      problem: { reason: 'duplicate', line: 2 },
    });
  });

  it.each(['Bearer {token}', 'jdbc:sqlserver://db;user=me;password={token}'])(
    'writes it as it is: %s',
    async (template) => {
      const path = write('a.json', '{"a": "old"}');
      expect(await deliverTo(path, 'a', { template }, 'x/y=%')).toMatchObject({ ok: true });
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
        a: template.replace('{token}', () => 'x/y=%'),
      });
    },
  );

  it.each([
    // pypi/legacy#80, darkphoenix/tolino-calibre-sync#1: some readers of Python fail at a percent sign, pip and twine do not.
    ['app.ini', 'a%b', null],
    ['.pypirc', 'a%b', 'a%b'],
    // acolite/acolite#92: what follows a # was lost.
    ['app.ini', 'a#b', null],
    ['.npmrc', 'a#b', '"a#b"'],
  ])('writes to %s what its readers read, or nothing: %s', async (name, token, written) => {
    expect(await edited(`/home/${name}`, '[s]\np = old\n', '[s]p', token)).toBe(
      written === null ? null : `[s]\np = ${written}\n`,
    );
  });
});

const hostile = [
  'glpat-AbC_09.~',
  'a b',
  "it's",
  'say "hi"',
  'back\\slash\\',
  '\\n\\u0041',
  '# no comment',
  'a#b;c',
  'a=b==',
  '${HOME}',
  '%(x)s',
  '{a}[b],c',
  '- a: b',
  '&a *b !c',
  '@x`y`',
  'true',
  'null',
  '0x1F',
  '1e5',
  '12:30:45',
  'é€😀',
  "'''",
  '"""',
  '\t\x7f\x1b',
  '\u00A0a\u00E0',
  'a\uFEFF',
  'a\u2028b',
  'a\u3000',
  '\x85a',
  ' a',
  '<<',
  '~',
];
const anyToken = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !/[\r\n\0]/.test(text)),
);

interface Format {
  readonly path: string;
  /** Lines before and after that of the value; `%` is a number, so that no name is there twice. */
  readonly others: readonly string[];
  /** How the line of the value is written around it. */
  readonly heads: readonly string[];
  readonly values: readonly string[];
  readonly tails: readonly string[];
  readonly key: string;
  readonly around: readonly [string, string];
  /** All values of a text, by the parser of the format. */
  readonly read: (text: string) => object;
}

const formats: Record<string, Format> = {
  JSON: {
    path: 'a.json',
    others: [
      '"k%": 1,',
      '"k%": ["t", {"t": "x"}],',
      '/* "t": "x" */',
      '// "t": "x",',
      '',
      '"k%": "\\"t\\":",',
    ],
    heads: ['"t": ', '\t"t":', '"\\u0074" :/* a */ ', '  "t"\t: '],
    values: ['"old"', '""', '"a \\"q\\" \\u00e9"'],
    tails: [',', ' , // "t"', ', /* x */'],
    key: 't',
    around: ['{\n', '}'],
    read: (text) => parseJson(text, [], { allowTrailingComma: true }) as object,
  },
  YAML: {
    path: 'a.yaml',
    others: [
      'k%: t',
      'k%: "t: x" # t: x',
      '# t: x',
      '',
      'k%:\n  - t: x\n  - |\n    t: x',
      "k%: {t: 'x'}",
      'k%: &a% x',
      'k%: >-\n  t: x\n\n  y',
    ],
    heads: ['t: ', '"t":   ', "'t' : ", 't: !!str '],
    values: ['old', '"o \\" l"', "'o '' l'", 'several words', '""', 'a\n  b'],
    tails: ['', '   ', ' # t: x', '\t# x'],
    key: 't',
    around: ['', ''],
    read: (text) => parseYaml(text) as object,
  },
  TOML: {
    path: 'a.toml',
    others: [
      'k% = 1',
      'k%.t = "x" # t = "x"',
      '# t = "x"',
      '',
      'k% = """\nt = "x"\n"""',
      "k% = { t = 'x' }",
      'k% = [\n  "t", # x\n]',
      'k% = 2026-01-01',
    ],
    heads: ['t = ', '"t"=', "  't'  =  "],
    values: ['"old"', "'old'", '"""\nold\nold"""', "'''old'''", '""'],
    tails: ['', '  ', ' # "x"'],
    key: 't',
    around: ['', ''],
    read: (text) => getStaticTOMLValue(parseTOML(text)),
  },
};

type Parts = readonly [before: string, value: string, after: string];

function anyFile({ others, heads, values, tails, around: [open, close] }: Format): fc.Arbitrary<Parts> {
  const some = fc.array(fc.constantFrom(...others), { maxLength: 5 });
  return fc
    .record({
      mark: fc.constantFrom('', '\uFEFF'),
      before: some,
      head: fc.constantFrom(...heads),
      value: fc.constantFrom(...values),
      tail: fc.constantFrom(...tails),
      after: some,
      lineBreak: fc.constantFrom('\n', '\r\n'),
      isOpen: fc.boolean(),
    })
    .map(({ mark, before, head, value, tail, after, lineBreak, isOpen }) => {
      const numbered = (lines: readonly string[], from: number) =>
        lines.map((line, place) => `${line.replaceAll('%', String(from + place))}\n`).join('');
      const rest = `${tail}\n${numbered(after, 100)}${close}`;
      const parts = [`${mark}${open}${numbered(before, 0)}${head}`, value, isOpen ? rest.trimEnd() : rest];
      return parts.map((part) => part.replaceAll('\n', lineBreak)) as unknown as Parts;
    });
}

describe.each(Object.entries(formats))('a random %s file with a random token', (_, format) => {
  it('keeps every byte outside of the value, and the token and all other values are read back', async () => {
    const read = (text: string) => format.read(text.replace(/^\uFEFF/, ''));
    await fc.assert(
      fc.asyncProperty(anyFile(format), anyToken, async ([start, value, rest], token) => {
        const before = start + value + rest;
        const after = await edited(`/srv/${format.path}`, before, format.key, token);
        expect(after?.startsWith(start)).toBe(true);
        expect(after?.endsWith(rest)).toBe(true);
        expect(read(after ?? '')).toEqual({ ...read(before), t: token });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a random INI file with a random token', () => {
  const ini: Format = {
    path: 'a.ini',
    others: ['k% = t', '; t = x', '# t = x', '', 'k%=a=b', 'k% : x', 'flag%', 'k% = "t = x"', 'k% = \xFF'],
    heads: ['t = ', 't=', 't: '],
    values: ['old', '"o l d"', "'old'", 'o l d'],
    tails: ['', '  '],
    key: '[s]t',
    around: ['[s]\n', ''],
    read: () => ({}),
  };

  it('keeps every byte outside of the value, or is refused', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(anyFile(ini), anyToken, async ([first, value, rest], token) => {
        const start = first.replace('\uFEFF', '\xEF\xBB\xBF');
        const path = '/srv/a.ini';
        const change = await settingEditor({ path, key: ini.key }, token);
        let after: string;
        try {
          after = change(Buffer.from(start + value + rest, 'latin1')).content.toString('latin1');
        } catch (error) {
          expect(error).toMatchObject({ reason: 'unwritable' });
          return;
        }
        written += 1;
        const quote = /^["']/.exec(value)?.[0] ?? '';
        const bytes = Buffer.from(token).toString('latin1');
        expect(after).toBe(start + quote + bytes + quote + rest);
      }),
      { numRuns: 300 },
    );
    expect(written).toBeGreaterThan(30);
  });
});

describe('a hostile token is read by other programs as it is', () => {
  /** Each token in each style; without those that were refused. */
  async function written(name: string, texts: readonly string[], key: string) {
    const all = hostile.flatMap((token) => texts.map((text) => ({ token, text })));
    const files = await Promise.all(
      all.map(async ({ token, text }) => ({ token, text: await edited(`/srv/${name}`, text, key, token) })),
    );
    return files.flatMap(({ token, text }) => (text === null ? [] : [{ token, text }]));
  }

  function readByPython(texts: readonly string[], code: string): unknown {
    const program = `import sys, json\n${code}\nprint(json.dumps([read(text) for text in json.load(sys.stdin)]))`;
    const options = { input: JSON.stringify(texts), encoding: 'utf8' } as const;
    return JSON.parse(execFileSync('python3', ['-c', program], options));
  }
  const hasPython = spawnSync('python3', ['-c', 'import tomllib']).status === 0;
  const hasNpm = spawnSync('npm', ['--version']).status === 0;
  const hasGit = spawnSync('git', ['--version']).status === 0;
  const inIni = ['[s]\nt = old\n', '[s]\nt: old\nu = 1\n'];
  const inPypirc = [...inIni, '[s]\nt = "old"\n', "[s]\nt = 'old' ; no comment\n"];
  const configparser = (kind: string) =>
    `import configparser\ndef read(text):\n  c = configparser.${kind}()\n  c.read_string(text)\n  return c["s"]["t"]`;

  it.skipIf(!hasPython).each([
    ['a.json', ['{"t": "old"}'], 't', 'read = lambda text: json.loads(text)["t"]'],
    [
      'a.toml',
      ['t = "old"', "t = 'old'", '"t" = """old"""', "t = '''old'''"],
      't',
      'import tomllib\nread = lambda text: tomllib.loads(text)["t"]',
    ],
    ['.pypirc', inPypirc, '[s]t', configparser('RawConfigParser')],
    ['a.ini', inIni, '[s]t', configparser('ConfigParser')],
  ])('by Python: %s', async (name, texts, key, code) => {
    const files = await written(name, texts, key);
    expect(files.length).toBeGreaterThan(texts.length * 9);
    const read = readByPython(
      files.map(({ text }) => text),
      code,
    );
    expect(read).toEqual(files.map(({ token }) => token));
  });

  it.skipIf(!hasNpm)('by npm: .npmrc', async () => {
    const all = await written('.npmrc', ['t=old\n', 't = "old"\n', "t='old'\n"], 't');
    // npm prints control characters in its own way.
    const files = all.filter(({ token }) => !/\p{Cc}/u.test(token));
    expect(files.length).toBeGreaterThan(60);
    // One file with all of them, because npm takes long to start.
    const lines = files.map(({ text }, place) => text.replace(/^t/, `my-t${place}`)).join('');
    const path = write('.npmrc', lines);
    const { stdout } = spawnSync('npm', ['config', 'list', '--json', '--userconfig', path], {
      encoding: 'utf8',
      cwd: join(path, '..'),
    });
    const values = JSON.parse(stdout) as Record<string, unknown>;
    expect(files.map((_, place) => values[`my-t${place}`])).toEqual(files.map(({ token }) => token));
  });

  it.skipIf(!hasGit)('by git: an INI file', async () => {
    const files = await written('a.ini', ['[s]\n\tt = old\n', '[s]\n\tt = "old"\n'], '[s]t');
    expect(files.length).toBeGreaterThan(20);
    for (const { token, text } of files) {
      const path = write('a.ini', text);
      const { stdout } = spawnSync('git', ['config', '-z', '-f', path, '--get', 's.t'], { encoding: 'utf8' });
      expect(stdout).toBe(`${token}\0`);
    }
  });
});
