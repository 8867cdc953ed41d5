import { describe, expect, it } from 'vitest';
import { settingEditor } from '../../../src/agent/delivery/setting/edit-setting.ts';
import { maskedValue } from '../../../src/contract/credential/credential-checks.ts';
import type { DeliveryTargetOf } from '../../../src/contract/credential/credential.ts';

type Options = Partial<DeliveryTargetOf<'setting'>>;

async function edit(path: string, content: string | Buffer | null, key: string, options: Options = {}) {
  const change = await settingEditor({ path: `/home/me/${path}`, key, ...options }, 'new');
  return change(content === null ? null : Buffer.from(content));
}

async function set(
  path: string,
  content: string | null,
  key: string,
  options: Options = {},
): Promise<string> {
  return (await edit(path, content, key, options)).content.toString();
}

/** What sops adds to a file with `mac_only_encrypted: true`. */
const macOnly = '  mac: ENC[AES256_GCM,data:Pa=]\n  mac_only_encrypted: true\n';

/** Written out, they are a billion. */
function aliasesOfAliases(innermost: string): string {
  const lines = Array.from(
    { length: 9 },
    (_, place) => `a${place + 1}: &a${place + 1} [${`*a${place}, `.repeat(10)}]\n`,
  );
  return `a0: &a0 ${innermost}\n${lines.join('')}`;
}

describe('setting one value of a file', () => {
  it.each([
    ['.npmrc', '; ours\n//npm.example.com/:_authToken=old\nfund=false', '//npm.example.com/:_authToken'],
    ['pip.conf', '[global]\r\ntimeout = 60\r\nindex-url =  old  \r\n', '[global]index-url'],
    ['.pypirc', '[a]\npassword: old\n[b]\npassword: older\n', '[a]password'],
    ['.pypirc', '[a]\npassword = old ; no comment for pip', '[a]password', 'old ; no comment for pip'],
    ['.pypirc', '[a]\nusername:me\npassword:old==\n', '[a]password', 'old=='],
    ['x.ini', '[a]\npassword:old\n', '[a]password'],
    ['.pypirc', '[a]\npassword = "old"\n', '[a]password', '"old"'],
    ['x.ini', 'a = "old" ; mine\n', 'a'],
    ['x.ini', 'a = \u00A0\u00E0old\u00E0 \t\nb=x\u00A0\n', 'a', '\u00A0\u00E0old\u00E0'],
    ['x.ini', '\uFEFFa = old\n', 'a'],
    ['x.ini', '[s\u00E0]\nb\u00E0 = old\u00A0', '[s\u00E0]b\u00E0', 'old\u00A0'],
    ['x.ini', '\f\na =\fold\f\n', 'a', '\fold\f'],
    ['appsettings.json', '\uFEFF{\r\n\t// ours\r\n\t"A": { "B.C": "old", },\r\n}', 'A."B.C"'],
    ['config.json', '{"auths":{"ghcr.io":{"auth":"old"}}}', 'auths."ghcr.io".auth'],
    ['mcp.json', '{"a":[{"n":"x","t":1},{"n":"y","t":"old"}]}', 'a[n=y].t'],
    [
      '.kube/config',
      'users:\n- name: ci\n  user:\n    token: old # mine\n- name: b\n  user: {token: x}\n',
      'users[name=ci].user.token',
    ],
    ['values.yaml', "a:\n  'b':   'old'\n\n\n# end", 'a.b'],
    ['values.yaml', 'a: !!str old\n', 'a'],
    ['values.yaml', '{a: old, b: [1, 2]}', 'a'],
    ['values.yaml', '? [a]\n: 1\n? {a: x}\n: 2\na: old\n', 'a'],
    ['values.yaml', 'n: &n ci\nu:\n- name: *n\n  t: old\n', 'u[name=ci].t'],
    ['.cargo/credentials', '[registries.my]\ntoken = "old" # mine\n', 'registries.my.token'],
    ['uv.toml', "index = [{ name = 'a', token = 'old' }]\n[[x]]\ny.z = '''old'''", 'index[name=a].token'],
    ['uv.toml', "index = [{ name = 'a' }]\n[[x]]\ny.z = '''old'''", 'x[0].y.z'],
    ['a.yaml', `a: old\nb: ENC[AES256_GCM,data:Tr7o=]\nsops:\n${macOnly}`, 'a'],
    ['x.ini', '[s]\na = old\n[sops]\nmac = ENC[AES256_GCM,data:Pa=]\nmac_only_encrypted = true\n', '[s]a'],
  ])('replaces it and nothing else: %s, %j', async (path, before, key, old = 'old') => {
    expect(await set(path, before, key)).toBe(before.replace(old, 'new'));
  });

  it.each([
    ['.npmrc', '', '//r/:_authToken', '//r/:_authToken=new\n'],
    ['.npmrc', 'fund = false\n', 'a', 'fund = false\na = new\n'],
    ['.npmrc', '//r/: x\n', '//r/', '//r/: x\n//r/=new\n'],
    ['pip.conf', '[a]\nb=1\n\n[c]\n', '[a]x', '[a]\nb=1\nx=new\n\n[c]\n'],
    ['pip.conf', 'b=1', '[a]x', 'b=1\n\n[a]\nx = new\n'],
    ['pip.conf', '[a]\nb=1\n', 'x', 'x = new\n\n[a]\nb=1\n'],
    ['a.json', '', 'a.b', '{\n  "a": {\n    "b": "new"\n  }\n}\n'],
    ['a.json', '{}', 'a', '{\n  "a": "new"\n}'],
    ['a.json', '{"a": 1}', 'b', '{"a": 1, "b": "new"}'],
    ['a.json', '{\n\t"a": 1 // one\n}\n', 'b.c', '{\n\t"a": 1, // one\n\t"b": {\n\t\t"c": "new"\n\t}\n}\n'],
    ['a.json', '{\n  "a": 1, // one\n}\n', 'b', '{\n  "a": 1, // one\n  "b": "new",\n}\n'],
    ['a.yaml', null, 'a.b', 'a:\n  b: "new"\n'],
    ['a.yaml', '# only\n', 'a', '# only\na: "new"\n'],
    ['a.yaml', 'a: 1 # c\nb: 2\n', 'c', 'a: 1 # c\nb: 2\nc: "new"\n'],
    [
      'a.yaml',
      'u:\n- n: x\n  d:\n    e: 1\n- n: y\n',
      'u[n=x].d.t',
      'u:\n- n: x\n  d:\n    e: 1\n    t: "new"\n- n: y\n',
    ],
    ['a.yaml', 'u:\n- n: x\n- n: y\n', 'u[n=x].d.t', 'u:\n- n: x\n  d:\n    t: "new"\n- n: y\n'],
    ['a.yaml', 'a: {}\n', 'a.b', 'a: {b: "new"}\n'],
    ['a.toml', '', 'a.b', '[a]\nb = "new"\n'],
    ['a.toml', 'x = 1\n\n[a]\n  b = 1\n\n[c]\n', 'a.t', 'x = 1\n\n[a]\n  b = 1\n  t = "new"\n\n[c]\n'],
    ['a.toml', '[a]\n', 't', 't = "new"\n\n[a]\n'],
    ['a.toml', 'a = { b = 1 }', 'a.t', 'a = { b = 1, t = "new" }'],
    ['a.toml', '[a.b]\nc = 1', 'a."d.e"', '[a.b]\nc = 1\n\n[a]\n"d.e" = "new"\n'],
  ])('adds it where it may: %s, %j', async (path, before, key, after) => {
    expect(await set(path, before, key, { create: true })).toBe(after);
    await expect(set(path, before, key)).rejects.toMatchObject({ reason: 'missing' });
  });

  it.each([
    ['a.json', '{\n"a": }', 'a', 'not_parsed', 2],
    ['a.json', '{"a": "b"\n"c": 1}', 'a', 'not_parsed', 2],
    ['a.json', '{"a": 1}', 'a', 'not_text', 1],
    ['a.json', '{"a": "b",\n"a": "c"}', 'a', 'duplicate', 2],
    ['appsettings.json', '{"K": "b"}', 'k', 'duplicate', 1],
    ['appsettings.json', '{"A": {\n"B": {}}}', 'A.b.c', 'duplicate', 2],
    ['a.json', '['.repeat(100_000), 'a', 'not_parsed', null],
    ['a.json', '{"a": "${input:token}"}', 'a', 'reference', 1],
    ['a.json', '{"b": "",\n"a": "encrypted:BDqDBibm4w"}', 'a', 'encrypted', 2],
    ['a.yaml', 'a: ENC[AES256_GCM,data:Tr7o=,type:str]\n', 'a', 'encrypted', 1],
    ['a.yaml', "a: '{cipher}d3ca1f5f9d0e'\n", 'a', 'encrypted', 1],
    // Not encrypted itself, but part of the checksum of the file.
    ['a.yaml', 'b: x\na: c\nsops:\n  mac: ENC[AES256_GCM,data:Pa=]\n', 'a', 'encrypted_file', null],
    ['x.ini', '[s]\na = c\n[sops]\nmac = ENC[AES256_GCM,data:Pa=]\n', '[s]a', 'encrypted_file', null],
    // sops leaves an empty value empty, so that it may be one of those that it encrypts.
    ['a.yaml', `a: ""\nsops:\n${macOnly}`, 'a', 'encrypted_file', null],
    ['a.yaml', `a: ENC[AES256_GCM,data:Tr7o=]\nsops:\n${macOnly}`, 'a', 'encrypted', 1],
    ['a.yaml', 'a: b\n c: d\n', 'a', 'not_parsed', 1],
    ['a.yaml', 'a: 1\nb: 12345\n', 'b', 'not_text', 2],
    ['a.yaml', 'a:\nb: 1\n', 'a', 'not_text', 1],
    ['a.yaml', 'a: &x b\n', 'a', 'shared', 1],
    ['a.yaml', 'a: &x b\nc: *x\n', 'c', 'shared', 2],
    ['a.yaml', 'a: &x\n  b: c\nd: *x\n', 'a.b', 'shared', 2],
    ['a.yaml', 'a: &x\n- n: y\n  t: b\nd: *x\n', 'd[n=y].t', 'shared', 4],
    ['a.yaml', 'a: b\nc: *x\n', 'a', 'not_parsed', 2],
    ['a.yaml', 'a: b\na: c\n', 'a', 'duplicate', 2],
    ['a.yaml', 'a: |\n  b\n', 'a', 'several_lines', 1],
    ['a.yaml', 'a: b\n---\na: c\n', 'a', 'several_documents', 2],
    ['a.yaml', 'a: !vault b\n', 'a', 'not_text', 1],
    ['a.toml', 'a = 1\nb = x\n', 'a', 'not_parsed', 2],
    ['a.toml', 'a = "b"\na = "c"\n', 'a', 'not_parsed', 2],
    ['a.toml', '\n[a]\nb = 2026-01-01\n', 'a.b', 'not_text', 3],
    ['a.yaml', ' '.repeat(256 * 1024 + 1), 'a', 'too_large', null],
    ['.npmrc', 'a=1\na=2\n', 'a', 'duplicate', 2],
    ['.npmrc', 'x\n\na\n', 'a', 'not_text', 3],
    ['.npmrc', '//r/:_authToken=${NPM_TOKEN}\n', '//r/:_authToken', 'reference', 1],
    ['.npmrc', 'a=b ; mine\n', 'a', 'comment', 1],
    ['.npmrc', 'a="b" ; mine\n', 'a', 'comment', 1],
    ['pip.conf', '[a]\nb = c\n\n[a]\nd = e\n', '[a]b', 'not_parsed', 4],
    ['.pypirc', '[a]\nPassword:b\n', '[a]password', 'duplicate', 2],
    ['x.ini', 'password:b==\n', 'password', 'duplicate', 1],
    ['pip.conf', '[a]\nb = c\n  d\n', '[a]b', 'several_lines', 2],
    ['pip.conf', '[a\nb = c\n', '[a]b', 'not_parsed', 1],
  ] as const)('is refused with the line: %s, %j', async (path, before, key, reason, line) => {
    await expect(set(path, before, key, { create: true })).rejects.toMatchObject({ reason, line });
  });

  it.each([
    ['UTF-16', Buffer.from('{"a":"b"}', 'utf16le')],
    ['another encoding', Buffer.from('{"a":"b\xe9"}', 'latin1')],
  ])('is refused in %s', async (_, content) => {
    await expect(edit('a.json', content, 'a')).rejects.toMatchObject({ reason: 'not_utf8' });
  });

  it.each([
    ['aliases of aliases', aliasesOfAliases('{x: 1}')],
    ['aliases of aliases of nothing', aliasesOfAliases('[]')],
    [
      'one value used often',
      `a: &x {b: c}\n${Array.from({ length: 200 }, (_, place) => `k${place}: *x\n`).join('')}`,
    ],
  ])('writes beside %s in YAML, and does not write them out', async (_, others) => {
    expect(await set('a.yaml', `t: old\n${others}`, 't')).toBe(`t: new\n${others}`);
  });

  it.each([
    ['errors', `"${'\\x'.repeat(60_000)}`],
    ['anchors', '&a '.repeat(40_000)],
    ['aliases', `[&a [], ${'*a, '.repeat(20_000)}]`],
  ])('takes time for many %s in YAML as the file grows, not as its square', async (_, many) => {
    const start = process.cpuUsage(); // other work on the machine is not in it
    await edit('a.yaml', `t: old\nx: ${many}\n`, 't').catch((error: unknown) => {
      expect(error).toMatchObject({ reason: 'not_parsed', line: 2 });
    });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(8000);
  });

  it.each([
    ['a.json', (depth: number) => `{"t": "old", "x": ${'['.repeat(depth)}${']'.repeat(depth)}}`],
    ['a.yaml', (depth: number) => `t: old\nx: ${'['.repeat(depth)}${']'.repeat(depth)}\n`],
    ['a.toml', (depth: number) => `t = "old"\nx${'.a'.repeat(depth)} = 1\n`],
  ])('is written or refused at any depth of other values: %s', async (path, nested) => {
    for (let depth = 200; depth <= 8000; depth += 200) {
      const after = await set(path, nested(depth), 't').catch((error: unknown) => {
        expect(error).toMatchObject({ reason: 'not_parsed' });
        return null;
      });
      if (after === null) return;
      expect(after).toBe(nested(depth).replace('old', 'new'));
    }
    expect.unreachable('8000 brackets are read');
  });

  it('writes a template, and its base64', async () => {
    const before = '{"a":"x"}';
    expect(await set('a.json', before, 'a', { template: 'Bearer {token}' })).toBe('{"a":"Bearer new"}');
    expect(await set('a.json', before, 'a', { template: 'me:{token}', encoding: 'base64' })).toBe(
      `{"a":"${Buffer.from('me:new').toString('base64')}"}`,
    );
  });

  it('shows the line with the value masked, and nothing else of the file', async () => {
    expect(await edit('.npmrc', 'x=1\n//r/:_authToken=old\n', '//r/:_authToken')).toMatchObject({
      line: 2,
      before: `//r/:_authToken=${maskedValue}`,
      after: `//r/:_authToken=${maskedValue}`,
    });
    expect(
      await edit('a.json', '{"s":"secret","t":"old"}', 't', { template: 'Bearer {token}' }),
    ).toMatchObject({
      line: 1,
      before: `"t": "${maskedValue}"`,
      after: `"t": "Bearer ${maskedValue}"`,
    });
  });
});
