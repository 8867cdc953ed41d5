/** What is found in files of every kind, also in those that somebody has made to be read wrongly. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isKnownToken } from '../../src/cli/import/known-tokens.ts';
import { readTokenFile } from '../../src/cli/import/read-token-file.ts';
import { providerViews } from '../../src/text/credential/providers.ts';

const token = 'glpat-a1b2c3d4e5f6g7h8';
const isKnown = isKnownToken(providerViews());

async function read(path: string, text: string, only: readonly string[] = []) {
  const result = await readTokenFile(path, Buffer.from(text), { isKnown, only });
  if (!result.ok) return { problem: result.problem };
  const { found, left, origins } = result.file;
  return {
    found: found.map(({ key, line, token: value, problem }) => [key, line, value, problem?.code ?? null]),
    left: left.map(({ key, reason }) => [key, reason.code]),
    origins,
    uses: found.map(({ use }) => use),
  };
}

describe('a dotenv file', () => {
  it.each([
    ['a line', `A_TOKEN=${token}\n`],
    ['no line break at its end', `A_TOKEN=${token}`],
    ['CRLF', `A_TOKEN=${token}\r\nB=1\r\n`],
    ['a byte order mark', `\ufeffA_TOKEN=${token}\n`],
    ['export', `export A_TOKEN=${token}\n`],
    ['single quotes', `A_TOKEN='${token}'\n`],
    // https://github.com/tashfeenahmed/freellmapi/pull/609: the quotes became a part of the key.
    ['quotes and a comment', `A_TOKEN="${token}" # backup key\n`],
    ['a comment', `A_TOKEN=${token} # ${token}\n`],
    ['blanks', `  A_TOKEN = ${token}  \n`],
  ])('with %s gives the token alone', async (_what, text) => {
    expect(await read('/srv/.env', text)).toMatchObject({ found: [['A_TOKEN', 1, token, null]] });
  });

  it('keeps a # in a value, as the shell does', async () => {
    // https://github.com/motdotla/dotenv/issues/633: what followed the # was lost.
    const { found } = await read('/srv/.env', `A_TOKEN=a1b2c3#d4e5\nB_TOKEN='f6 #'\nC_TOKEN='g7#h8i9j0'\n`);
    expect(found).toEqual([
      // As a delivery would put it into quotes.
      ['A_TOKEN', 1, 'a1b2c3#d4e5', 'would_change'],
      ['C_TOKEN', 3, 'g7#h8i9j0', null],
    ]);
  });

  it('gives no value of a comment, of several lines, or inside of other quotes', async () => {
    const text = `# A_TOKEN=${token}\nKEY="-----BEGIN PRIVATE KEY-----\nB_TOKEN=${token}\n-----END PRIVATE KEY-----"\n`;
    expect(await read('/srv/.env', text)).toMatchObject({ found: [], left: [] });
  });

  it('says why a line cannot be its target', async () => {
    const text = `A_TOKEN=${token}\nA_TOKEN=glpat-z9y8x7w6v5u4\nB_TOKEN=\${A_TOKEN}\nC_TOKEN=changeme\n`;
    expect(await read('/srv/.env', text)).toMatchObject({
      found: [
        ['A_TOKEN', 1, token, 'would_change'],
        ['A_TOKEN', 2, 'glpat-z9y8x7w6v5u4', 'would_change'],
      ],
      left: [
        ['B_TOKEN', 'reference'],
        ['C_TOKEN', 'placeholder'],
      ],
    });
  });

  it('gives a line once that is there twice', async () => {
    const text = `A_TOKEN=${token}\nB=1\nA_TOKEN=${token}\n`;
    expect(await read('/srv/.env', text)).toMatchObject({ found: [['A_TOKEN', 1, token, null]] });
  });

  it('has 10,000 lines at most', async () => {
    const lines = (count: number) => 'A=1\n'.repeat(count - 1) + `A_TOKEN=${token}\n`;
    expect(await read('/srv/.env', lines(10_000))).toMatchObject({
      found: [['A_TOKEN', 10_000, token, null]],
    });
    expect(await read('/srv/.env', lines(10_001))).toMatchObject({ problem: { code: 'too_many_variables' } });
  });

  it('is no script and no file of another kind', async () => {
    expect(await read('/srv/run.py', `A_TOKEN=${token}\n`)).toMatchObject({
      problem: { code: 'not_dotenv' },
    });
  });

  it('gives a line that a person has named, and no other', async () => {
    const text = `A_TOKEN=${token}\nDB_PASSWORD=correct-horse\n`;
    expect(await read('/srv/.env', text, ['DB_PASSWORD'])).toMatchObject({
      found: [['DB_PASSWORD', 2, 'correct-horse', null]],
    });
  });

  it('says which servers it speaks of, without what may be secret', async () => {
    const { origins } = await read('/srv/.env', 'CI_URL=https://user:pass@gitlab.example.com/a?token=b\n');
    expect(origins).toEqual(['https://gitlab.example.com']);
  });
});

describe('a settings file', () => {
  it.each([
    ['/srv/a.json', `{\n  // mine\n  "api": { "token": "${token}", },\n}`, 'api.token', 3],
    ['/srv/a.json', `{"a.b": [{"api_token": "${token}"}]}`, '"a.b"[0].api_token', 1],
    ['/srv/a.yaml', `api:\r\n  token: '${token}' # mine\r\n`, 'api.token', 2],
    ['/srv/a.yaml', `list:\n  - name: ci\n    token: ${token}\n`, 'list[name=ci].token', 3],
    ['/srv/a.yml', `list:\n  - name: x\n    token: ${token}\n  - name: x\n`, 'list[0].token', 3],
    ['/srv/a.toml', `[api]\ntoken = "${token}"\n`, 'api.token', 2],
    ['/srv/a.ini', `[api]\ntoken = ${token}\n`, '[api]token', 2],
  ])('gives the key of a value: %s %s', async (path, text, key, line) => {
    expect(await read(path, text)).toMatchObject({ found: [[key, line, token, null]] });
  });

  it.each([
    ['a key that is there twice', '/srv/a.json', `{"token": "x", "token": "${token}"}`],
    ['an anchor', '/srv/a.yaml', `a_token: &t ${token}\nb: *t\n`],
    ['text of several lines', '/srv/a.yaml', `a_token: |-\n  ${token}\n`],
  ])('says why a target cannot write it: %s', async (_why, path, text) => {
    const { found } = await read(path, text);
    expect(found).toHaveLength(1);
    expect(found?.[0]?.[3]).toBe('setting');
  });

  it.each([
    ['/srv/a.json', '{"a": '],
    ['/srv/a.json', '['.repeat(100_000)],
    ['/srv/a.yaml', 'a: [1'],
    ['/srv/a.yaml', 'a: 1\n---\nb: 2\n'],
    ['/srv/a.toml', 'a = '],
  ])('that cannot be read is named: %s', async (path, text) => {
    expect(await read(path, text)).toMatchObject({ problem: { code: 'setting' } });
  });

  it('is read in time that grows with its length, also where aliases multiply', async () => {
    const bomb = [
      'a0: &a0 [x]',
      ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`),
    ];
    expect(await read('/srv/a.yaml', bomb.join('\n'))).toMatchObject({ found: [] });
  });

  it('keeps the word before a token', async () => {
    const { uses } = await read('/srv/a.json', `{"token": "Bearer ${token}"}`);
    expect(uses).toMatchObject([{ target: { template: 'Bearer {token}' } }]);
  });
});

describe('a file of a tool', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  beforeAll(() => void vi.stubEnv('DOCKER_CONFIG', '/home/me/.docker'));
  afterAll(() => void vi.unstubAllEnvs());

  it('of docker has a user and a password, which may have colons in it', async () => {
    // https://github.com/testcontainers/testcontainers-node/issues/838: the password ended at its first colon.
    const auths = {
      'reg.example.com:5050': { auth: base64('me:pass:word:1') },
      'https://index.docker.io/v1/': { auth: base64('me:dckr_pat_abc') },
      // As podman calls it.
      'docker.io': { auth: base64('me:dckr_pat_def') },
      'empty.example.com': {},
      'odd.example.com': { auth: '' },
      'none.example.com': { auth: base64('without-a-sign') },
      'helped.example.com': { identitytoken: 'a1b2c3d4e5f6' },
    };
    const text = JSON.stringify({ auths, credsStore: 'secretservice' }, null, '\t');
    expect(await read('/home/me/.docker/config.json', text)).toMatchObject({
      found: [
        ['auths."reg.example.com:5050".auth', 4, 'pass:word:1', null],
        ['auths."https://index.docker.io/v1/".auth', 7, 'dckr_pat_abc', null],
        ['auths."docker.io".auth', 10, 'dckr_pat_def', null],
      ],
      uses: [
        { kind: 'connection', tool: 'docker', url: 'https://reg.example.com:5050', username: 'me' },
        { kind: 'connection', tool: 'docker', url: 'https://index.docker.io', username: 'me' },
        { kind: 'connection', tool: 'docker', url: 'https://index.docker.io', username: 'me' },
      ],
    });
  });

  it('of docker with a path in the name of a registry is a target', async () => {
    const text = JSON.stringify({ auths: { 'ghcr.io/team': { auth: base64('me:ghp_a1b2') } } });
    expect(await read('/home/me/.docker/config.json', text)).toMatchObject({
      found: [['auths."ghcr.io/team".auth', 1, 'ghp_a1b2', null]],
      uses: [{ kind: 'target', target: { template: 'me:{token}', encoding: 'base64' } }],
    });
  });

  it('in the form of docker that docker does not read is a target', async () => {
    const auths = { 'reg.example.com': { auth: base64('me:a1b2') } };
    expect(await read('/home/me/.config/containers/auth.json', JSON.stringify({ auths }))).toMatchObject({
      found: [['auths."reg.example.com".auth', 1, 'a1b2', null]],
      uses: [{ kind: 'target', target: { template: 'me:{token}', encoding: 'base64' } }],
    });
  });

  it.each([
    ['https://reg.example.com:5000/v2/', 'https://reg.example.com:5000'],
    ['reg.example.com:5000/team', 'https://reg.example.com:5000'],
    ['http://reg.example.com:5000', null],
  ])('of docker says the port and the scheme of a registry: %s', async (server, origin) => {
    const text = JSON.stringify({ auths: { [server]: { auth: base64('me:a1b2') } } });
    const how = { isKnown, only: [] };
    const result = await readTokenFile('/home/me/.docker/config.json', Buffer.from(text), how);
    expect(result).toMatchObject({ file: { found: [{ origin }] } });
  });

  it.each([
    `${token}:x`,
    `${token}:`,
    token,
    'a1b2c3d4e5f6:x-oauth-basic',
    // Such as GitLab made them before they began with a word of their own.
    'Ab1xYz_8kQ-p2Lm9wRtU',
    'Ab1xYz_8kQ-p2Lm9wRtU:',
  ])('of git has a token as its user, which is shown nowhere: %s', async (login) => {
    const text = `https://${login}@github.com\n`;
    expect(await read('/home/me/.git-credentials', text)).toMatchObject({
      found: [['https://github.com', 1, login.split(':')[0], 'token_is_user']],
      uses: [{ username: '' }],
    });
  });

  it.each([
    'me:',
    'me',
    'maximilian.mustermann',
    '12345678901234567890',
    'release-bot-2',
    'me2%40mail.example.com',
  ])('of git has no token where nobody has entered one: %s', async (login) => {
    expect(await read('/home/me/.git-credentials', `https://${login}@github.com\n`)).toMatchObject({
      found: [],
    });
  });

  it('of kubectl has tokens for some users only: others run a program or have a certificate', async () => {
    // https://github.com/kubernetes-client/javascript/issues/891: a user with a program was taken for one with a token.
    const text = [
      'apiVersion: v1',
      'kind: Config',
      'clusters: [{name: c, cluster: {server: "https://c.example.com:6443"}}]',
      'contexts: [{name: c, context: {cluster: c, user: ci}}]',
      'users:',
      '- name: exec',
      '  user: {exec: {command: aws, args: [eks, get-token], env: [{name: AWS_TOKEN, value: x}]}}',
      '- name: cert',
      '  user: {client-key-data: a1b2c3d4e5f6, client-certificate-data: a1b2}',
      '- name: ci',
      '  user:',
      `    token: eyJhbGciOi.a1b2.c3d4`,
      '',
    ].join('\n');
    const result = await readTokenFile('/home/me/.kube/config', Buffer.from(text), { isKnown, only: [] });
    expect(result).toMatchObject({
      ok: true,
      file: {
        found: [
          {
            key: 'users[name=ci].user.token',
            line: 12,
            about: 'ci',
            origin: 'https://c.example.com:6443',
            problem: null,
          },
        ],
      },
    });
  });

  it('of git has a password in each line, with its special characters encoded', async () => {
    // https://github.com/AlessandroZ/LaZagne/pull/448: passwords were taken as they are written.
    const text = [
      'https://me:p%40ss%3aword@git.example.com:8443',
      'https://token-only@git.example.com',
      'https://git.example.com/none',
      'http://me:plain@git.example.com',
      'https://me:a1@git.example.com/team/repo.git\r',
      'https://me:%E0%A4%A@git.example.com',
      'ssh://me:secret@git.example.com',
      '# https://me:secret@git.example.com',
    ].join('\n');
    expect(await read('/home/me/.git-credentials', text)).toMatchObject({
      found: [
        ['https://git.example.com:8443', 1, 'p@ss:word', null],
        ['http://git.example.com', 4, 'plain', 'no_place'],
        ['https://git.example.com/team/repo.git', 5, 'a1', null],
      ],
    });
  });

  it('of npm has a token for each registry', async () => {
    const text = `registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=npm_a1b2c3d4\n//a.example.com/:_authToken=\${NPM_TOKEN}\n//b.example.com/:_auth=bWU6cGFzcw==\n`;
    expect(await read('/home/me/.npmrc', text)).toMatchObject({
      found: [['//registry.npmjs.org/:_authToken', 2, 'npm_a1b2c3d4', null]],
      left: [['//a.example.com/:_authToken', 'reference']],
    });
  });

  it.each([
    ['/home/me/.config/gh/hosts.yml', 'github.com:\n    oauth_token: gho_a1b2c3d4e5\n', 'https://github.com'],
    [
      '/home/me/.config/glab-cli/config.yml',
      `hosts:\n    gitlab.com:\n        token: ${token}\n`,
      'https://gitlab.com',
    ],
    [
      '/home/me/.terraform.d/credentials.tfrc.json',
      '{"credentials": {"app.terraform.io": {"token": "a1b2c3d4e5"}}}',
      'https://app.terraform.io',
    ],
    ['/home/me/.cargo/credentials.toml', '[registries.mine]\ntoken = "a1b2c3d4e5"\n', null],
    ['/home/me/.pypirc', '[pypi]\nusername = __token__\npassword = pypi-a1b2c3d4\n', null],
  ])('says where its token is used: %s', async (path, text, origin) => {
    const result = await readTokenFile(path, Buffer.from(text), { isKnown, only: [] });
    expect(result).toMatchObject({ ok: true, file: { found: [{ origin, problem: null }] } });
  });

  it('takes no name in a settings file for a server', async () => {
    const result = await readTokenFile(
      '/srv/a.json',
      Buffer.from('{"api.example.com": {"token": "a1b2c3d4e5"}}'),
      {
        isKnown,
        only: [],
      },
    );
    expect(result).toMatchObject({ file: { found: [{ origin: null }] } });
  });

  it('.netrc is shown, and cannot be taken in', async () => {
    const text =
      'machine a.example.com login me password a1b2c3\n# machine x password y\nmacdef init\nmachine m password n\n\nmachine b.example.com\n  login machine\n  password d4e5f6\ndefault login anonymous password none\n';
    expect(await read('/home/me/.netrc', text)).toMatchObject({
      found: [
        ['a.example.com', 1, 'a1b2c3', 'no_place'],
        ['b.example.com', 8, 'd4e5f6', 'no_place'],
      ],
    });
  });
});
