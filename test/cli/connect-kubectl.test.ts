/** The real kubectl of this machine against a server that checks the token; skipped where it is not installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testCertificate } from '../fixtures/make-authority.ts';
import { type CliResult, rotavox } from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';

const isInstalled = ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].some((file) => existsSync(file));
const folder = mkdtempSync(join(tmpdir(), 'rotavox-kubectl-'));
const home = join(folder, 'home');
const dataDir = join(folder, 'data folder');
const config = join(home, '.kube', 'config');
const path = '/usr/local/bin:/usr/bin:/bin';
let service: ServiceHere;
let cluster: Server;
let url = '';
/** The token of each call that had one, oldest first. */
const tokens: string[] = [];
/** The tools that ran with the token while a call was answered. */
const running: string[] = [];

beforeAll(async () => {
  mkdirSync(join(home, '.kube'), { recursive: true });
  service = await ServiceHere.start(dataDir, fileVault);
  cluster = createServer(testCertificate, (request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (token !== '') tokens.push(token);
    void tokenAsked().then((current) => {
      response.writeHead(token === current ? 200 : 401, { 'content-type': 'application/json' });
      response.end('{"hello":"cluster"}');
    });
  });
  cluster.listen(0, '127.0.0.1');
  await once(cluster, 'listening');
  const address = cluster.address();
  if (address === null || typeof address === 'string') throw new Error('The cluster does not listen');
  url = `https://127.0.0.1:${address.port}`;
  await service.cli('token', 'issue', '--name', 'cluster', '--validity', '7', '--keep-as', 'cluster');
});
afterAll(async () => {
  cluster.closeAllConnections();
  cluster.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const { id } of await connections()) await run('disconnect', id);
  writeFileSync(config, kubeconfig());
  tokens.length = 0;
  running.length = 0;
});

/** As kubectl writes it. */
function kubeconfig({ users = '- name: bob\n  user:\n    token: of-bob\n' } = {}): string {
  return [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    '    insecure-skip-tls-verify: true',
    `    server: ${url}`,
    '  name: dev',
    'contexts:',
    '- context:',
    '    cluster: dev',
    '    user: ada',
    '  name: dev',
    'current-context: dev',
    'kind: Config',
    'preferences: {}',
    `users:\n${users}`,
  ].join('\n');
}

function run(...args: string[]): Promise<CliResult> {
  return rotavox(args, { dataDir, env: { HOME: home, PATH: path } });
}

async function currentToken(): Promise<string> {
  return (await run('get', 'cluster')).stdout.trim();
}

/** The current token; notes which tools run with it meanwhile, without this test itself. */
async function tokenAsked(): Promise<string> {
  const { use } = (await service.json('credential', 'show', 'cluster')) as {
    use: { tools: { name: string; pid: number }[] };
  };
  running.push(...use.tools.filter(({ pid }) => pid !== process.pid).map(({ name }) => name));
  return currentToken();
}

async function connections(): Promise<{ id: string }[]> {
  const { stdout } = await run('connect', 'list', '--json');
  return (JSON.parse(stdout) as { connections: { id: string }[] }).connections;
}

function connect(...more: string[]): Promise<CliResult> {
  return run('connect', 'kubectl', 'cluster', '--url', url, ...more);
}

async function kubectl(...args: string[]): Promise<CliResult> {
  const child = spawn('kubectl', args, {
    env: { HOME: home, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

describe.skipIf(!isInstalled)('kubectl, connected', () => {
  it('gets the current token, and the next one after a rotation', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toContain('+ - name: ada');
    expect(connected.stdout).not.toContain('of-bob');
    expect(await kubectl('get', '--raw', '/hello')).toMatchObject({ code: 0, stdout: '{"hello":"cluster"}' });
    const before = new Set(tokens);
    expect([...before]).toEqual([await currentToken()]);
    tokens.length = 0;
    await run('credential', 'rotate', 'cluster');
    expect(await kubectl('get', '--raw', '/hello')).toMatchObject({ code: 0 });
    expect([...new Set(tokens)]).toEqual([await currentToken()]);
    expect(before.has(tokens[0] ?? '')).toBe(false);
    if (process.platform === 'linux') expect(new Set(running)).toEqual(new Set(['kubectl']));
  });

  it('gets nothing for another cluster', async () => {
    await connect();
    await kubectl('config', 'set-cluster', 'dev', '--server=https://127.0.0.1:1');
    const { code, stderr } = await kubectl('get', '--raw', '/hello');
    expect(code).not.toBe(0);
    expect(stderr).toContain('No credential is connected for this address');
  });
});

describe.skipIf(!isInstalled)('the configuration of kubectl', () => {
  /** Connected and disconnected: no byte is another one, and nothing that is recorded has a secret of it. */
  async function expectTakenBack(make: () => string): Promise<void> {
    writeFileSync(config, make());
    expect(await connect('--dry-run')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(make());
    // No copy of it is made, which could be left.
    vi.stubEnv('TMPDIR', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await connect()).toMatchObject({ code: 0 });
    const { stdout } = await run('connect', 'list', '--json');
    expect(stdout).not.toContain('of-');
    expect(await run('disconnect', await onlyId())).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(make());
  }

  it('is taken back byte by byte, and no secret of it is recorded', () =>
    expectTakenBack(() => `# mine\n${kubeconfig()}# end\n`));

  it.each([
    ['with another user before', kubeOf('- name: bob\n  user:\n    token: of-bob\n')],
    ['without a user', () => kubeconfig().replace(/^users:[^]*/m, 'users: []\n')],
    ['with another user after', kubeOf('- name: zed\n  user:\n    token: of-zed\n')],
    ['with a list that is indented', kubeOf('  - name: bob\n    user: { token: of-bob } # his\n')],
    ['with lines of Windows', () => kubeconfig().replaceAll('\n', '\r\n')],
    ['with users first, and no line break at the end', usersFirst],
    ['without a list of users', () => kubeconfig().replace(/^users:[^]*/m, '')],
    ['with nothing in the list', () => kubeconfig().replace(/^users:[^]*/m, 'users: # none\n')],
  ])('is taken back byte by byte: %s', { tags: ['long'] }, (_what, make) => expectTakenBack(make));

  it.each([
    [
      'with users on one line',
      kubeOf('  [{ name: bob, user: { token: of-bob } }]\n'),
      'is not YAML as kubectl writes it',
    ],
    [
      'that has this user',
      kubeOf('- name: ada\n  user:\n    token: of-ada\n'),
      'kubectl has a user ada already',
    ],
  ])('is left to the person in a file %s', async (_what, make, said) => {
    writeFileSync(config, make());
    const { code, stderr, stdout } = await connect();
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect(stdout + stderr).not.toContain('of-ada');
    expect(readFileSync(config, 'utf8')).toBe(make());
    expect(await connections()).toEqual([]);
  });

  it.each([
    ['a list that was empty', 'users: []\n'],
    ['no list', ''],
  ])(
    'loses our user alone, where kubectl has added another one since to %s',
    { tags: ['long'] },
    async (_what, users) => {
      writeFileSync(config, kubeconfig().replace(/^users:[^]*/m, users));
      await connect();
      await kubectl('config', 'set-credentials', 'zed', '--token=of-zed');
      expect((await run('disconnect', await onlyId())).stderr).toContain(
        'is as it was without the connection',
      );
      expect(readFileSync(config, 'utf8')).toBe(
        kubeconfig({ users: '- name: zed\n  user:\n    token: of-zed\n' }),
      );
    },
  );

  it(
    'loses our user also where kubectl has written the file anew, with another indent',
    { tags: ['long'] },
    async () => {
      writeFileSync(config, kubeconfig({ users: '  - name: bob\n    user:\n      token: of-bob\n' }));
      await connect();
      await kubectl('config', 'set-context', 'dev', '--namespace=team');
      await run('disconnect', await onlyId());
      expect(readFileSync(config, 'utf8')).toBe(
        kubeconfig().replace('    user: ada', '    namespace: team\n    user: ada'),
      );
    },
  );

  it('is left, and that is said, where lines that another program added belong to our user', async () => {
    await connect();
    const added = `${readFileSync(config, 'utf8')}    as: somebody\n`;
    writeFileSync(config, added);
    const { code, stderr } = await run('disconnect', await onlyId());
    expect(code).toBe(0);
    expect(stderr).toContain('was edited since, so it was left alone');
    expect(readFileSync(config, 'utf8')).toBe(added);
  });

  it('has nothing recorded anew where its file is locked, and no user is left when that is over', async () => {
    expect(await connect('--username', 'nightly')).toMatchObject({ code: 0 });
    const made = readFileSync(config, 'utf8');
    const lock = `${config}.lock`;
    writeFileSync(lock, '');
    const refused = await connect('--username', 'other', '--replace');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`If no program is changing it, remove ${lock} and try again`);
    expect(readFileSync(config, 'utf8')).toBe(made);
    expect(await users()).toEqual(['nightly']);
    rmSync(lock);
    expect(await connect('--username', 'other', '--replace')).toMatchObject({ code: 0 });
    expect(await users()).toEqual(['other']);
    expect(await run('disconnect', await onlyId())).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(kubeconfig());
  });

  it('has a former user of ours replaced by repair, or taken away, after a replacement that a crash cut off', async () => {
    await connect('--username', 'nightly');
    const former = readFileSync(config, 'utf8');
    expect(await connect('--username', 'other', '--replace')).toMatchObject({ code: 0 });
    const made = readFileSync(config, 'utf8');
    writeFileSync(config, former);
    expect(await run('connect', 'repair')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(made);
    writeFileSync(config, former);
    await run('disconnect', await onlyId());
    expect(readFileSync(config, 'utf8')).toBe(kubeconfig());
  });

  it.each([
    ['that was not there', null],
    ['without users', () => kubeconfig().replace(/^users:[^]*/m, 'users: []\n')],
  ])(
    'gets our user anew where it was written anew, in the place of one %s',
    { tags: ['long'] },
    async (_what, make) => {
      if (make === null) rmSync(config);
      else writeFileSync(config, make());
      expect(await connect('--username', 'ada')).toMatchObject({ code: 0 });
      const anew = kubeconfig({ users: '- name: zed\n  user:\n    token: of-zed\n' });
      writeFileSync(config, anew);
      expect(await run('connect', 'repair')).toMatchObject({ code: 0 });
      expect(await kubectl('get', '--raw', '/hello')).toMatchObject({ code: 0 });
      await run('disconnect', await onlyId());
      expect(readFileSync(config, 'utf8')).toBe(anew);
    },
  );

  it('is written by kubectl as it is needed, with what the refusal says', async () => {
    const server = { server: url, 'insecure-skip-tls-verify': true };
    const clusters = [{ name: 'dev', cluster: server }];
    const contexts = [{ name: 'dev', context: { cluster: 'dev', user: 'ada' } }];
    const kube = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters,
      contexts,
      'current-context': 'dev',
      users: [],
    };
    writeFileSync(config, JSON.stringify(kube));
    const { code, stderr } = await connect();
    expect(code).toBe(1);
    const commands = [...stderr.matchAll(/`kubectl ([^`]+)`/g)].map(([, words = '']) => words.split(' '));
    expect(commands).toHaveLength(2);
    for (const words of commands) expect(await kubectl(...words)).toMatchObject({ code: 0 });
    expect(await connect()).toMatchObject({ code: 0 });
    expect(await kubectl('get', '--raw', '/hello')).toMatchObject({ code: 0 });
  });

  it('may have a user with colons, as those of EKS', async () => {
    const user = 'arn:aws:eks:eu-west-1:111122223333:cluster/dev';
    writeFileSync(config, kubeconfig().replace('user: ada', `user: ${user}`));
    expect(await connect('--dry-run', '--username', user)).toMatchObject({ code: 0 });
    expect(await connect()).toMatchObject({ code: 0 });
    expect(await kubectl('get', '--raw', '/hello')).toMatchObject({ code: 0 });
  });

  it('names no file for a user that is there already: it may be in another one', async () => {
    const second = join(folder, 'second');
    writeFileSync(config, kubeconfig());
    writeFileSync(second, 'apiVersion: v1\nkind: Config\nusers:\n- name: ada\n  user:\n    token: of-ada\n');
    const env = { HOME: home, PATH: path, KUBECONFIG: `${config}:${second}` };
    const args = ['connect', 'kubectl', 'cluster', '--url', url];
    const { code, stderr } = await rotavox(args, { dataDir, env });
    expect(code).toBe(1);
    expect(stderr).toContain('kubectl has a user ada already');
    expect(stderr).not.toContain(config);
  });

  it('is for https alone', async () => {
    expect(await connect('--url', 'http://127.0.0.1:6443')).toMatchObject({ code: 2 });
  });
});

/** Those that are recorded. */
async function users(): Promise<string[]> {
  const { stdout } = await run('connect', 'list', '--json');
  const { connections: all } = JSON.parse(stdout) as { connections: { username: string }[] };
  return all.map(({ username }) => username);
}

async function onlyId(): Promise<string> {
  const [{ id } = { id: '' }] = await connections();
  return id;
}

function usersFirst(): string {
  const users = 'users:\n- name: bob\n  user:\n    token: of-bob\n';
  return (users + kubeconfig().replace(/^users:[^]*/m, '')).trimEnd();
}

function kubeOf(users: string): () => string {
  return () => kubeconfig({ users });
}
