import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TakingIn } from '../../src/cli/import/take-in.ts';
import { openPortal } from '../../src/cli/open-portal.ts';
import { planImport } from '../../src/core/credential/plan-import.ts';
import { providerViews } from '../../src/text/credential/providers.ts';
import { GitServer } from '../tools/git-server.ts';
import { type CliResult, rotavox } from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'rotavox-import-'));
const dataDir = join(folder, 'data');
const home = join(folder, 'home');
const env = join(home, '.env');
let service: ServiceHere;

beforeAll(async () => {
  service = await ServiceHere.start(dataDir, fileVault);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const { name } of await credentials()) await run('credential', 'remove', name);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
});

function run(...args: string[]): Promise<CliResult> {
  return rotavox(args, { dataDir, env: { HOME: home } });
}

const take = (...more: string[]) => run('credential', 'import', env, ...more);

async function credentials(): Promise<{ name: string; targets: { target: object }[] }[]> {
  const { stdout } = await run('credential', 'list', '--json');
  return (JSON.parse(stdout) as { credentials: { name: string; targets: { target: object }[] }[] })
    .credentials;
}

/** A token that this service has issued. */
async function issued(name: string): Promise<string> {
  const { stdout } = await run('token', 'issue', '--name', name, '--validity', '7', '--json');
  return (JSON.parse(stdout) as { access_token: string }).access_token;
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Everything that is in a folder, byte by byte. */
function bytesIn(place: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .map((name) => join(place, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => [file, readFileSync(file, 'latin1')]),
  );
}

describe('rotavox credential import', () => {
  it('takes in the lines of a file, which keeps each of its bytes, and delivers the next token there', async () => {
    const [first, second] = [await issued('first'), await issued('second')];
    const text = `\ufeff# mine\r\nexport FIRST_TOKEN='${first}' # used by the shop\r\nSECOND_KEY=${second}\r\nOTHER=1`;
    write(env, text);
    const taken = await take('--yes');
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(taken.stdout + taken.stderr).not.toContain(first.slice(4));
    expect(taken.stdout).toContain('FIRST_TOKEN: is a target of first now.');
    expect(readFileSync(env, 'utf8')).toBe(text);
    expect((await credentials()).map(({ name }) => name).toSorted()).toEqual(['first', 'second']);

    expect(await run('credential', 'rotate', 'first')).toMatchObject({ code: 0 });
    const next = (await run('get', 'first')).stdout.trim();
    expect(next).not.toBe(first);
    expect(readFileSync(env, 'utf8')).toBe(text.replace(first, next));

    const before = bytesIn(home);
    const again = await take('--yes');
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('is a target of first already');
    expect(again.stderr).toBe('There is nothing to do.\n');
    expect(bytesIn(home)).toEqual(before);
  });

  it('says of a plain line in a file of sops which line is encrypted, and of an encrypted one that it is', async () => {
    write(env, `PLAIN_TOKEN=${await issued('plain')}\nA_TOKEN=ENC[AES256_GCM,data:Tr7o=,type:str]\n`);
    const { stdout } = await take('--dry-run');
    expect(stdout).toMatch(/PLAIN_TOKEN .* not taken in: Line 2 of \S+ was encrypted by another program/);
    expect(stdout).toMatch(/A_TOKEN .* not taken in: another program has encrypted it/);
  });

  it('shows all of it and changes nothing in a dry run, and without anybody who agrees', async () => {
    const token = await issued('dry');
    write(env, `DRY_TOKEN=${token}\nAPI_TOKEN=a1b2c3d4e5f6\nB_TOKEN=\${DRY_TOKEN}\n`);
    const before = bytesIn(home);
    const events = (await run('history', '--limit', '1', '--json')).stdout;
    const dry = await take('--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      'LINE  KEY  TOKEN  SERVICE  THEN',
      '1  DRY_TOKEN  ••••••  this Rotavox  new credential dry; this line becomes a target of it',
      '2  API_TOKEN  ••••••  not known  not taken in: the address of its service and its expiry are not known',
      '3  B_TOKEN  ••••••  not taken in: it names where the token is',
      '',
    ]);
    expect(dry.stderr.replace(/: \S*rotavox credential/, ': rotavox credential')).toBe(
      `To do: rotavox credential import ${env} --only API_TOKEN --base-url https://… --validity 90\nNothing was changed.\n`,
    );
    expect(await take()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
    expect(bytesIn(home)).toEqual(before);
    expect(await credentials()).toEqual([]);
    expect((await run('history', '--limit', '1', '--json')).stdout).toBe(events);
    const json = await take('--dry-run', '--json');
    expect(json.stderr).toBe('');
    expect(json.stdout).not.toContain(token);
    expect(JSON.parse(json.stdout)).toMatchObject({
      items: [
        { key: 'DRY_TOKEN', status: 'ready', credential: 'dry', base_url: null },
        { key: 'API_TOKEN', status: 'needs', needs: ['address', 'validity'] },
      ],
    });
  });

  it('takes in the line that is named, by another name, and a token whose service is not known', async () => {
    const token = await issued('named');
    write(env, `A_TOKEN=${token}\nDB_PASSWORD=correct-horse\n`);
    expect(await take('--only', 'A_TOKEN', '--name', 'shop', '--yes')).toMatchObject({ code: 0 });
    const rest = ['--base-url', 'https://db.example.com', '--validity', '30', '--yes'];
    expect(await take('--only', 'DB_PASSWORD', ...rest)).toMatchObject({ code: 0 });
    expect((await credentials()).map(({ name }) => name).toSorted()).toEqual(['db-password', 'shop']);
    expect((await run('get', 'db-password')).stdout).toBe('correct-horse\n');
    expect(await take('--only', 'NONE')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${env} has no value with the key NONE`) as string,
    });
    expect(await take('--name', 'a')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--only') as string,
    });
  });

  it('goes on after one that fails, and leaves its line as it is', async () => {
    const token = await issued('good');
    const text = `BAD_TOKEN=rvx_${'a'.repeat(43)}\nGOOD_TOKEN=${token}\n`;
    write(env, text);
    const taken = await take('--yes', '--json');
    expect(taken).toMatchObject({ code: 1, stderr: '1 token could not be taken in.\n' });
    expect(JSON.parse(taken.stdout)).toMatchObject({
      items: [
        { key: 'BAD_TOKEN', taken_in: false },
        { key: 'GOOD_TOKEN', taken_in: true },
      ],
    });
    expect(readFileSync(env, 'utf8')).toBe(text);
    expect((await credentials()).map(({ name }) => name)).toEqual(['good']);
  });

  it('leaves a line alone whose file is gone since it was shown', async () => {
    const target = { kind: 'dotenv', path: env, variable: 'A_TOKEN' } as const;
    const found = {
      key: 'A_TOKEN',
      line: 1,
      token: 'glpat-a1b2c3d4',
      about: 'a',
      origin: null,
      problem: null,
    };
    const [item] = planImport([{ ...found, use: { kind: 'target', target } }], {
      ...{ views: providerViews(), known: [], names: [], origins: [] },
      ...{ connectedTo: () => null, saysEnd: () => false, given: { hasValidity: false } },
    });
    if (item === undefined) throw new Error('Nothing was planned.');
    const content = Buffer.from('A_TOKEN=glpat-a1b2c3d4');
    const how = { file: env, content, body: {}, options: { dataDir } };
    expect(await new TakingIn(openPortal({ dataDir }), how).take({ item, planned: null })).toEqual({
      ok: false,
      lines: [`${env} was changed meanwhile, so this line was left alone. Run it again.`],
    });
    expect(await credentials()).toEqual([]);
  });

  it('adds a line to the credential that has its token already', async () => {
    const token = await issued('twice');
    write(env, `A_TOKEN=${token}\n`);
    expect(await take('--yes')).toMatchObject({ code: 0 });
    const settings = join(home, 'app.json');
    write(settings, `{"api": {"token": "${token}"}}`);
    expect(await run('credential', 'import', settings, '--yes')).toMatchObject({ code: 0 });
    expect(await credentials()).toMatchObject([
      {
        name: 'a',
        targets: [{ target: { variable: 'A_TOKEN' } }, { target: { path: settings, key: 'api.token' } }],
      },
    ]);
    expect(readFileSync(settings, 'utf8')).toBe(`{"api": {"token": "${token}"}}`);
  });

  it('reads no file that is none, that is not a text, or that is too large', async () => {
    const refused = async (file: string, why: string) => {
      const { code, stdout, stderr } = await run('credential', 'import', file);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(why);
    };
    await refused(env, `There is no file ${env}.`);
    await refused(home, `${home} is not a file.`);
    writeFileSync(env, Buffer.from([0x41, 0x3d, 0]));
    await refused(env, 'is not a text in UTF-8');
    writeFileSync(env, Buffer.from([0x41, 0x3d, 0xff]));
    await refused(env, 'is not a text in UTF-8');
    writeFileSync(env, 'A=1\n'.repeat(300_000));
    await refused(env, 'is larger than 1 MiB');
    write(join(home, 'a.json'), '{');
    await refused(join(home, 'a.json'), 'a.json');
  });

  it.runIf(process.platform === 'linux')('reads no file of another account', async () => {
    // The administrator's; an administrator reads one of somebody else.
    const isRoot = process.getuid?.() === 0;
    const other = isRoot ? env : '/etc/hostname';
    if (isRoot) {
      write(env, 'A_TOKEN=a1b2c3d4e5\n');
      (await import('node:fs')).chownSync(env, 12_345, 12_345);
    }
    const link = join(home, 'link.env');
    symlinkSync(other, link);
    const { code, stderr } = await run('credential', 'import', link);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${link} belongs to another account, so it was not read.\n`,
    });
  });
});

describe('a file of a tool', () => {
  const stored = join(home, '.git-credentials');

  it('of git has git ask Rotavox, and only then loses its line', async () => {
    const token = await issued('git');
    const server = await GitServer.start(async (authorization) => {
      const password =
        Buffer.from(authorization.split(' ')[1] ?? '', 'base64')
          .toString()
          .split(':')[1] ?? '';
      return password === (await run('get', '127-0-0-1')).stdout.trim();
    });
    try {
      const other = 'https://me:other%20one@git.example.com\n';
      write(stored, `${server.origin.replace('://', `://oauth2:${token}@`)}\n${other}`);
      chmodSync(stored, 0o600);
      const only = ['--only', server.origin];
      const dry = await run('credential', 'import', stored, ...only, '--dry-run');
      expect(dry).toMatchObject({ code: 0 });
      expect(dry.stdout).toContain(`+ [credential "${server.origin}"]`);
      expect(dry.stdout).toContain(`- line 1 of ${stored}: the token`);
      expect(readFileSync(stored, 'utf8')).toContain(token);

      const taken = await run('credential', 'import', stored, ...only, '--yes');
      expect(taken).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(stored, 'utf8')).toBe(other);
      expect(statSync(stored).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(home, '.gitconfig'), 'utf8')).toContain(server.origin);
      expect(await run('connect', 'check')).toMatchObject({ code: 0 });

      // A service that cannot be asked about its token.
      const rest = await run('credential', 'import', stored, '--validity', '30', '--yes');
      expect(rest).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(stored, 'utf8')).toBe('');
      expect((await run('get', 'git-example-com')).stdout).toBe('other one\n');
    } finally {
      await server.stop();
      const { connections } = JSON.parse((await run('connect', 'list', '--json')).stdout) as {
        connections: { id: string }[];
      };
      for (const { id } of connections) await run('disconnect', id);
    }
  });

  it('of git keeps its line where a connection of before has lost its setting', async () => {
    const text = 'https://me:a1b2c3d4@git.example.com\n';
    write(stored, text);
    const importing = () => run('credential', 'import', stored, '--validity', '30', '--yes');
    expect(await importing()).toMatchObject({ code: 0 });
    rmSync(join(home, '.gitconfig'));
    write(stored, text);
    const again = await importing();
    expect(again).toMatchObject({ code: 1 });
    expect(again.stdout).toContain(
      `git cannot use the token through Rotavox, so ${stored} was left as it is`,
    );
    expect(readFileSync(stored, 'utf8')).toBe(text);
    const { connections } = JSON.parse((await run('connect', 'list', '--json')).stdout) as {
      connections: { id: string }[];
    };
    for (const { id } of connections) {
      // It fails, because this service cannot be asked about its token.
      await run('connect', 'repair', id);
      expect(await importing()).toMatchObject({ code: 0 });
      await run('disconnect', id);
    }
    expect(readFileSync(stored, 'utf8')).toBe('');
  });

  it('of git keeps its line where git cannot ask', async () => {
    const token = await issued('kept');
    const text = `http://me:${token}@127.0.0.1:9\n`;
    write(stored, text);
    write(join(home, '.gitconfig'), '[include]\n\tpath = more\n');
    // A later helper that answers in the place of ours.
    write(join(home, 'more'), '');
    const env = {
      HOME: home,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'credential.helper',
      GIT_CONFIG_VALUE_0: 'store',
    };
    const taken = await rotavox(['credential', 'import', stored, '--yes'], { dataDir, env });
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.stdout).toContain('its setting was taken back');
    expect(readFileSync(stored, 'utf8')).toBe(text);
    expect(readFileSync(join(home, '.gitconfig'), 'utf8')).toBe('[include]\n\tpath = more\n');
    expect(JSON.parse((await run('connect', 'list', '--json')).stdout)).toEqual({ connections: [] });
  });
});

describe('the configuration of docker', () => {
  const config = join(home, '.docker/config.json');
  const own = join(home, '.local/bin');

  it('names Rotavox, and only then loses the password', async () => {
    const token = await issued('images');
    const auth = Buffer.from(`me:${token}`).toString('base64');
    const next = await issued('more');
    const auths = {
      '127.0.0.1:5050': { auth },
      '127.0.0.1:5051': { auth: Buffer.from(`me:${next}`).toString('base64') },
      'other.example.com': { auth: 'bWU6b3RoZXI=' },
    };
    write(config, JSON.stringify({ auths }, null, '\t'));
    const keys = ['auths."127.0.0.1:5050".auth', 'auths."127.0.0.1:5051".auth'];
    const importing = (path: string) =>
      rotavox(['credential', 'import', config, ...keys.flatMap((key) => ['--only', key]), '--yes'], {
        dataDir,
        env: { HOME: home, PATH: path },
      });
    // Docker finds no program of ours on this path.
    const before = readFileSync(config, 'utf8');
    const refused = await importing('/usr/bin:/bin');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toContain('its setting was taken back');
    expect(readFileSync(config, 'utf8')).toBe(before);

    mkdirSync(own, { recursive: true });
    const path = `${own}:/usr/bin:/bin`;
    // What podman has does not concern docker, which gets the token.
    write(
      join(home, '.config/containers/auth.json'),
      JSON.stringify({ auths: { '127.0.0.1:5050': { auth } } }),
    );
    const taken = await importing(path);
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(taken.stdout + taken.stderr).not.toContain(auth);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
      credHelpers: { '127.0.0.1:5050': 'rotavox', '127.0.0.1:5051': 'rotavox' },
      auths: { ...auths, '127.0.0.1:5050': {}, '127.0.0.1:5051': {} },
    });
    expect((await credentials()).map(({ name }) => name).toSorted()).toEqual(['127-0-0-1', '127-0-0-1-2']);
    for (const content of Object.values(bytesIn(dataDir))) {
      expect(content).not.toContain(auth);
      expect(content).not.toContain(token);
    }
    const { connections } = JSON.parse((await run('connect', 'list', '--json')).stdout) as {
      connections: { id: string }[];
    };
    expect(connections).toHaveLength(2);
    for (const { id } of connections)
      expect(await rotavox(['disconnect', id], { dataDir, env: { HOME: home, PATH: path } })).toMatchObject({
        code: 0,
      });
    expect(readFileSync(config, 'utf8')).not.toContain('rotavox');
  });
});

describe('rotavox credential find', () => {
  const jwt = `eyJhbGciOiJub25lIn0.${Buffer.from('{"exp":2000000000}').toString('base64url')}.sig`;

  it('lists the tokens of this account with their places, and shows none', async () => {
    const token = await issued('found');
    write(env, `FOUND_TOKEN=${token}\n`);
    await take('--yes');
    write(join(home, '.npmrc'), '//registry.npmjs.org/:_authToken=npm_a1b2c3d4e5\n');
    write(join(home, '.netrc'), 'machine a.example.com login me password s3cret-word\n');
    write(join(home, '.kube/config'), `users:\n- name: ci\n  user:\n    token: ${jwt}\n`);
    write(join(home, '.docker/config.json'), '{"auths": ');
    write(join(home, '.env.example'), 'A_TOKEN=glpat-a1b2c3d4e5\n');
    const before = bytesIn(home);
    const found = await run('credential', 'find', '--folder', home);
    expect(found.code).toBe(0);
    for (const secret of [token, 'npm_a1b2c3d4e5', 's3cret-word', jwt])
      expect(found.stdout + found.stderr).not.toContain(secret);
    const lines = found.stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '));
    expect(lines.slice(1, -1)).toEqual([
      expect.stringContaining('.kube/config:4  users[name=ci].user.token  ••••••  not known'),
      expect.stringContaining('.npmrc:1  //registry.npmjs.org/:_authToken  ••••••  npm  '),
      expect.stringContaining('.netrc:1  a.example.com  ••••••  not known  '),
      expect.stringMatching(/\.env:1 {2}FOUND_TOKEN {2}•{6} {2}.+ {2}found$/),
    ]);
    expect(lines[1]).toContain('2033-05-18');
    expect(found.stderr).toContain(`${join(home, '.docker/config.json')} was skipped: `);
    const commands = found.stderr.split('\n').filter((line) => line.startsWith('To do: '));
    expect(commands).toHaveLength(2);
    expect(commands[0]).toContain(`credential import ${join(home, '.kube/config')} --dry-run`);
    expect(bytesIn(home)).toEqual(before);

    const json = await run('credential', 'find', '--folder', home, '--json');
    expect(json.stdout).not.toContain(token);
    expect(JSON.parse(json.stdout)).toMatchObject({
      found: [
        {
          file: join(home, '.kube/config'),
          line: 4,
          expires_at: '2033-05-18T03:33:20.000Z',
          credential: null,
        },
        { service: 'npm', expires_at: null },
        { key: 'a.example.com' },
        { credential: 'found' },
      ],
    });
  });

  it('does so without a service that runs', async () => {
    write(join(home, '.npmrc'), '//registry.npmjs.org/:_authToken=npm_a1b2c3d4e5\n');
    const found = await rotavox(['credential', 'find'], {
      dataDir: join(folder, 'none'),
      env: { HOME: home },
    });
    expect(found).toMatchObject({ code: 0 });
    expect(found.stderr).toContain(
      'Rotavox is not running, so it is not known which of these are credentials already.',
    );
  });

  it('says so where there is none', async () => {
    expect(await run('credential', 'find')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No token was found in the files where tools of this account keep them.\n',
    });
  });
});
