/** The real docker of this machine, without an engine: it asks a registry for a manifest by itself. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { dockerSetup, withoutPassword } from '../../src/cli/connect/docker-setup.ts';
import { askProgram, type ToolSetup, undoSetting } from '../../src/cli/connect/tool-setting.ts';
import type { ToolConnection } from '../../src/contract/credential/tool-connection.ts';
import { ImageRegistry } from '../tools/image-registry.ts';
import { type CliResult, rotavox } from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';

/** Without one its protocol is still spoken to our program. */
const isInstalled = ['/usr/bin/docker', '/usr/local/bin/docker'].some((file) => existsSync(file));
const folder = mkdtempSync(join(tmpdir(), 'rotavox-docker-'));
const home = join(folder, 'home');
const dataDir = join(folder, 'data folder');
const own = join(home, '.local', 'bin');
const config = join(home, '.docker', 'config.json');
const path = `${own}:/usr/local/bin:/usr/bin:/bin`;
let service: ServiceHere;
let registry: ImageRegistry;
let host = '';
/** The tools that ran with the token while a call was answered. */
const running: string[] = [];

beforeAll(async () => {
  mkdirSync(own, { recursive: true });
  mkdirSync(join(home, '.docker'));
  service = await ServiceHere.start(dataDir, fileVault);
  registry = await ImageRegistry.start(async (password) => password === (await tokenAsked()));
  ({ host } = registry);
  await service.cli('token', 'issue', '--name', 'images', '--validity', '7', '--keep-as', 'images');
});
afterAll(async () => {
  registry.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const { id } of await connections()) await run('disconnect', id);
  rmSync(config, { force: true });
  registry.passwords.length = 0;
  running.length = 0;
});

function run(...args: string[]): Promise<CliResult> {
  return rotavox(args, { dataDir, env: { HOME: home, PATH: path } });
}

async function currentToken(): Promise<string> {
  return (await run('get', 'images')).stdout.trim();
}

/** The current token; notes which tools run with it meanwhile, without this test itself. */
async function tokenAsked(): Promise<string> {
  const { use } = (await service.json('credential', 'show', 'images')) as {
    use: { tools: { name: string; pid: number }[] };
  };
  running.push(...use.tools.filter(({ pid }) => pid !== process.pid).map(({ name }) => name));
  return currentToken();
}

async function connections(): Promise<{ id: string }[]> {
  return (JSON.parse((await run('connect', 'list', '--json')).stdout) as { connections: { id: string }[] })
    .connections;
}

async function idOf(): Promise<string> {
  const [one] = await connections();
  if (one === undefined) throw new Error('Nothing is connected');
  return one.id;
}

function connect(...more: string[]): Promise<CliResult> {
  return run('connect', 'docker', 'images', '--url', `http://${host}`, '--username', 'oauth2', ...more);
}

async function program(file: string, args: readonly string[], input = ''): Promise<CliResult> {
  const child = spawn(file, [...args], { env: { HOME: home, PATH: path }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

const inspect = () => program('docker', ['manifest', 'inspect', '--insecure', `${host}/team/app:1`]);
const helper = (operation: string, input = '') =>
  program(join(own, 'docker-credential-rotavox'), [operation], input);
const login = { auth: Buffer.from('me:old').toString('base64') };
const printed = (value: object) => `${JSON.stringify(value, null, '\t')}\n`;

describe('docker, connected', () => {
  it.skipIf(!isInstalled)(
    'gets the current token for each command, and the next one after a rotation',
    async () => {
      writeFileSync(config, printed({ auths: {} }));
      const connected = await connect();
      expect(connected).toMatchObject({ code: 0 });
      expect(connected.stdout).toContain(`+ 		"${host}": "rotavox"`.replaceAll('\t', '    '));
      expect(lstatSync(join(own, 'docker-credential-rotavox')).isSymbolicLink()).toBe(true);

      expect(await inspect()).toMatchObject({ code: 0 });
      const before = new Set(registry.passwords);
      expect([...before]).toEqual([await currentToken()]);
      registry.passwords.length = 0;
      await run('credential', 'rotate', 'images');
      expect(await inspect()).toMatchObject({ code: 0 });
      expect([...new Set(registry.passwords)]).toEqual([await currentToken()]);
      expect(before.has(registry.passwords[0] ?? '')).toBe(false);
      if (process.platform === 'linux') expect(new Set(running)).toEqual(new Set(['docker']));
    },
  );

  it('has its helper answer as others do, and keeps the token through a logout', async () => {
    await connect();
    const token = await currentToken();
    const answer = await helper('get', `${host}\n`);
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(answer.stdout)).toEqual({ ServerURL: host, Username: 'oauth2', Secret: token });
    expect(JSON.parse((await helper('list')).stdout)).toEqual({ [host]: 'oauth2' });
    expect(await helper('version')).toMatchObject({ code: 0 });
    const none = { code: 1, stdout: 'credentials not found in native keychain\n', stderr: '' };
    for (const server of ['reg.example.com', '127.0.0.1:1', `me@${host}`, `${host}/x`])
      expect(await helper('get', server)).toEqual(none);
    expect(await helper('get')).toEqual({ code: 1, stdout: 'no credentials server URL\n', stderr: '' });
    const stored = await helper(
      'store',
      JSON.stringify({ ServerURL: host, Username: 'me', Secret: 'of-me' }),
    );
    expect(stored.code).toBe(1);
    expect(stored.stdout).toContain('Rotavox keeps this token');
    expect(await helper('other')).toMatchObject({ code: 1 });

    if (isInstalled) await program('docker', ['logout', host]);
    expect(await helper('get', host)).toMatchObject({ code: 0 });
  });
});

describe('a check of docker', () => {
  it.each([
    ['no JSON', 'echo hello'],
    ['JSON of another kind', 'echo null'],
  ])('says that another program of this name is found, which answers with %s', async (_what, line) => {
    const other = join(folder, 'other');
    rmSync(other, { recursive: true, force: true });
    mkdirSync(other);
    writeFileSync(join(other, 'docker-credential-rotavox'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    const withOther = { dataDir, env: { HOME: home, PATH: `${other}:${path}` } };
    await connect();
    const { code, stdout, stderr } = await rotavox(['connect', 'check'], withOther);
    expect(code).toBe(1);
    expect(stderr).toBe('A check failed.\n');
    expect(stdout).toContain('docker-credential-rotavox does not answer as the program of Rotavox does');
  });

  const [runtime, configured] = [join(folder, 'run', 'containers'), join(home, '.config', 'containers')];
  it.each([
    ['a password', runtime, () => ({ auths: { [host]: login } }), () => host],
    [
      'a password for a part of it',
      configured,
      () => ({ auths: { [`${host}/team`]: login } }),
      () => `${host}/team`,
    ],
  ])('names a file of podman that is read before that of docker: %s', async (_what, at, content, name) => {
    mkdirSync(at, { recursive: true });
    const file = join(at, 'auth.json');
    onTestFinished(() => rmSync(file));
    writeFileSync(file, JSON.stringify(content()));
    await connect();
    const { code, stdout } = await checkWithRuntime();
    expect(code).toBe(1);
    expect(stdout).toContain(`failed  ${file} has a login for ${name()}, which podman`);
    expect(stdout).toContain(`\`podman logout ${name()}\``);
    expect(stdout).not.toContain(login.auth);
  });

  it('names another helper in a file of podman', async () => {
    mkdirSync(configured, { recursive: true });
    const file = join(configured, 'auth.json');
    onTestFinished(() => rmSync(file));
    writeFileSync(file, JSON.stringify({ auths: {}, credHelpers: { [host]: 'pass' } }));
    await connect();
    const { code, stdout } = await checkWithRuntime();
    expect(code).toBe(1);
    expect(stdout).toContain(`failed  ${file} names another program for ${host}, which podman`);
    expect(stdout).not.toContain('podman logout');
  });

  it.each([
    ['of other registries', () => ({ auths: { [`${host}1`]: login, 'x.example.com': login } })],
    ['without a password', () => ({ auths: { [host]: {} } })],
    ['that asks Rotavox first', () => ({ auths: { [host]: login }, credHelpers: { [host]: 'rotavox' } })],
    ['in another form', () => []],
  ])('has nothing against a file of podman %s', async (_what, content) => {
    mkdirSync(runtime, { recursive: true });
    const file = join(runtime, 'auth.json');
    onTestFinished(() => rmSync(file));
    writeFileSync(file, JSON.stringify(content()));
    await connect();
    expect(await checkWithRuntime()).toMatchObject({ code: 0 });
  });

  it('reads the file that a variable names in their place', async () => {
    mkdirSync(runtime, { recursive: true });
    const [file, named] = [join(runtime, 'auth.json'), join(folder, 'named.json')];
    onTestFinished(() => [file, named].forEach((one) => rmSync(one)));
    for (const one of [file, named]) writeFileSync(one, JSON.stringify({ auths: { [host]: login } }));
    await connect();
    const { code, stdout } = await checkWithRuntime({ REGISTRY_AUTH_FILE: named });
    expect(code).toBe(1);
    expect(stdout).toContain(named);
    expect(stdout).not.toContain(file);
  });

  function checkWithRuntime(more: Record<string, string> = {}): Promise<CliResult> {
    const env = { HOME: home, PATH: path, XDG_RUNTIME_DIR: join(folder, 'run'), ...more };
    return rotavox(['connect', 'check'], { dataDir, env });
  }

  it('ends a program that does not answer in time, and says so', async () => {
    const read = () => null;
    const asked = askProgram('/bin/sh', ['-c', 'sleep 30 & wait'], { limitMs: 200, read });
    expect(await asked).toEqual({
      password: null,
      said: '/bin/sh did not answer in time and was ended.',
    });
  });
});

describe('a password of Docker Hub', () => {
  it('is taken out of the file that it was taken from, and no other of the same registry', () => {
    const auth = (password: string) => ({ auth: Buffer.from(`me:${password}`).toString('base64') });
    const auths = { 'docker.io': auth('a:one'), 'https://index.docker.io/v1/': auth('two') };
    const without = (password: string): unknown =>
      JSON.parse(
        withoutPassword(JSON.stringify({ auths }, null, '\t'), { url: 'https://index.docker.io', password }),
      );
    expect(without('a:one')).toEqual({ auths: { ...auths, 'docker.io': {} } });
    expect(without('two')).toEqual({ auths: { ...auths, 'https://index.docker.io/v1/': {} } });
    expect(without('three')).toEqual({ auths });
  });

  it.each([
    ['https://docker.io/team', 'https://docker.io/team'],
    ['https://docker.io.example.com', 'https://docker.io.example.com'],
    ['http://docker.io', 'http://docker.io'],
    ['https://INDEX.docker.io/v1', 'https://index.docker.io'],
  ])('is of %s at %s', (written, address) => {
    expect(dockerSetup.address?.(written)).toBe(address);
  });
});

describe('the configuration of docker', () => {
  it.each([
    ['that is not there', null],
    ['that is empty', '{}'],
    ['with logins', printed({ auths: { 'other.example.com': { auth: 'bWU6eA==' } }, credsStore: 'desktop' })],
    ['with other helpers', printed({ credHelpers: { 'other.example.com': 'pass' }, auths: {} })],
    ['indented with spaces', JSON.stringify({ auths: {}, currentContext: 'h\u00e4' }, null, 2)],
  ])('is taken back byte by byte, in a file %s', async (_what, content) => {
    if (content !== null) writeFileSync(config, content);
    expect(await connect('--dry-run')).toMatchObject({ code: 0 });
    expect(existsSync(config) ? readFileSync(config, 'utf8') : null).toBe(content);
    expect(await connect()).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({ credHelpers: { [host]: 'rotavox' } });
    expect(await run('disconnect', await idOf())).toMatchObject({ code: 0 });
    expect(existsSync(config) ? readFileSync(config, 'utf8') : null).toBe(content);
    expect(existsSync(join(own, 'docker-credential-rotavox'))).toBe(false);
  });

  it.each(['https://index.docker.io/v1/', 'https://Docker.io:443'])(
    'has Docker Hub by the name of docker and by that of podman: %s',
    async (url) => {
      const before = printed({ credHelpers: { 'docker.io': 'pass', 'x.example.com': 'pass' } });
      writeFileSync(config, before);
      expect(await connect('--url', url)).toMatchObject({ code: 1 });
      expect(await connect('--url', url, '--replace')).toMatchObject({ code: 0 });
      const names = ['https://index.docker.io/v1/', 'docker.io'];
      const ours = Object.fromEntries(names.map((name) => [name, 'rotavox']));
      const made = readFileSync(config, 'utf8');
      expect(JSON.parse(made)).toEqual({ credHelpers: { ...ours, 'x.example.com': 'pass' } });
      const Secret = await currentToken();
      for (const ServerURL of names)
        expect(JSON.parse((await helper('get', ServerURL)).stdout)).toEqual({
          ServerURL,
          Username: 'oauth2',
          Secret,
        });
      // Written anew by docker, in an order of its own.
      writeFileSync(config, printed({ auths: {}, ...(JSON.parse(made) as object) }));
      await run('disconnect', await idOf());
      expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
        auths: {},
        ...(JSON.parse(before) as object),
      });

      rmSync(config);
      await connect('--url', url);
      expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ credHelpers: ours });
      await run('disconnect', await idOf());
      expect(existsSync(config)).toBe(false);
      writeFileSync(config, printed({ auths: { 'docker.io': login } }));
      expect((await connect('--url', url)).stderr).toContain('docker logout docker.io');
    },
  );

  it('is cleared also where docker has written it anew since', async () => {
    writeFileSync(config, printed({ auths: {} }));
    await connect();
    writeFileSync(config, printed({ auths: { 'x.example.com': {} }, credHelpers: { [host]: 'rotavox' } }));
    const { stderr } = await run('disconnect', await idOf());
    expect(stderr).toContain('is as it was without the connection');
    expect(readFileSync(config, 'utf8')).toBe(printed({ auths: { 'x.example.com': {} } }));
  });

  it('is left, and that is said, where a person has written it in another form', async () => {
    await connect();
    const edited = `{"credHelpers":{${JSON.stringify(host)}:"rotavox"}}`;
    writeFileSync(config, edited);
    expect((await run('connect', 'check')).stdout).toContain('names the program; the section was edited');
    const { stderr } = await run('disconnect', await idOf());
    expect(stderr).toContain(
      `was edited since, so it was left alone. Remove what has ${JSON.stringify(host)}: "rotavox" in it by hand.`,
    );
    expect(readFileSync(config, 'utf8')).toBe(edited);
  });

  it('keeps another helper or a password, unless its place is to be taken', async () => {
    const other = printed({ credHelpers: { [host]: 'pass' } });
    writeFileSync(config, other);
    const refused = await connect();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('has the helper pass for');
    expect(await connect('--replace')).toMatchObject({ code: 0 });
    await run('disconnect', await idOf());
    expect(readFileSync(config, 'utf8')).toBe(other);

    const secret = Buffer.from('me:secret').toString('base64');
    writeFileSync(config, printed({ auths: { [host]: { auth: secret } } }));
    const plain = await connect();
    expect(plain).toMatchObject({ code: 1 });
    expect(plain.stderr).toContain(`docker logout ${host}`);
    const replaced = await connect('--replace', '--json');
    expect(replaced).toMatchObject({ code: 0 });
    expect(replaced.stdout).not.toContain(secret);
  });

  it('is added to a file that was written anew, and taken back from it', async () => {
    await connect();
    const anew = printed({ auths: { 'x.example.com': {} }, credHelpers: { 'y.example.com': 'pass' } });
    writeFileSync(config, anew);
    expect(await run('connect', 'repair')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
      auths: { 'x.example.com': {} },
      credHelpers: { [host]: 'rotavox', 'y.example.com': 'pass' },
    });
    await run('disconnect', await idOf());
    expect(readFileSync(config, 'utf8')).toBe(anew);
  });

  it('keeps a helper that somebody has put in the place of ours, when it is repaired', async () => {
    await connect();
    const other = printed({ credHelpers: { [host]: 'pass' } });
    writeFileSync(config, other);
    const { code, stderr } = await run('connect', 'repair');
    expect(code).toBe(1);
    expect(stderr).toContain(`has the helper pass for ${host}`);
    expect(readFileSync(config, 'utf8')).toBe(other);
  });

  it('is read while it is locked, so that no login in between is lost', async () => {
    await connect();
    writeFileSync(config, printed({ auths: {}, credHelpers: { [host]: 'rotavox' } }));
    const { connections: all } = JSON.parse((await run('connect', 'list', '--json')).stdout) as {
      connections: ToolConnection[];
    };
    let isLocked = false;
    const watched: ToolSetup = {
      ...dockerSetup,
      withoutEdited(content, connection) {
        isLocked = existsSync(`${config}.lock`);
        return dockerSetup.withoutEdited?.(content, connection) ?? null;
      },
    };
    for (const one of all) expect(undoSetting(one, watched)).toBe('made');
    expect(isLocked).toBe(true);
    expect(readFileSync(config, 'utf8')).toBe(printed({ auths: {} }));
  });

  it.each([
    // The setting would have to record more than the service takes.
    ['by the service', printed({ credHelpers: { ['x'.repeat(5000)]: 'pass', HOST: 'pass' } })],
    ['by the file', '{ "credHelpers": { "HOST": "rotavox" }, /* mine */ "x": 1 }'],
  ])('stays connected where a replacement is refused %s', async (_what, content) => {
    await connect();
    const before = await connections();
    const now = content.replace('HOST', host);
    writeFileSync(config, now);
    expect(await connect('--replace')).toMatchObject({ code: 1 });
    expect(readFileSync(config, 'utf8')).toBe(now);
    expect(await connections()).toEqual(before);
    expect(await helper('get', host)).toMatchObject({ code: 0 });
  });

  it.each(['{"auths":{}}', '{ "auths": {}, "x": [1, { "é": "<" }], "y": [] }\n'])(
    'is left to the person where it is written in another way, and can be brought into the usual one: %s',
    async (odd) => {
      writeFileSync(config, odd);
      const { code, stderr } = await connect();
      expect(code).toBe(1);
      expect(stderr).toContain(
        `with each member on a line of its own, as \`jq --tab . ${config}\` prints it`,
      );
      expect(readFileSync(config, 'utf8')).toBe(odd);
      expect(await connections()).toEqual([]);
      // As jq prints it.
      writeFileSync(config, printed(JSON.parse(odd) as object));
      expect(await connect()).toMatchObject({ code: 0 });
    },
  );

  it('is left alone where docker asks the program of another data folder', async () => {
    const link = join(own, 'docker-credential-rotavox');
    const other = join(folder, 'other data', 'tools', 'docker-credential-rotavox');
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync(other, link);
    onTestFinished(() => rmSync(link, { force: true }));
    const theirs = printed({ credHelpers: { [host]: 'rotavox' } });
    writeFileSync(config, theirs);
    for (const { code, stderr } of [await connect(), await connect('--replace')]) {
      expect(code).toBe(1);
      expect(stderr).toContain(`docker asks ${other}, which is not of this data folder`);
      expect(stderr).toContain(`or remove ${link}`);
    }
    expect(readFileSync(config, 'utf8')).toBe(theirs);
    expect(await connections()).toEqual([]);
  });

  it('is for a registry, which has no path', async () => {
    expect(await connect('--url', `http://${host}/team`)).toMatchObject({ code: 2 });
  });

  it('needs our program on the path, and says which link to make', async () => {
    const { code, stdout } = await rotavox(
      ['connect', 'docker', 'images', '--url', `http://${host}`, '--username', 'oauth2'],
      { dataDir, env: { HOME: home, PATH: '/usr/bin:/bin' } },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/failed +docker-credential-rotavox .* ln -s /);
    expect(await run('connect', 'repair')).toMatchObject({ code: 0 });
  });
});
