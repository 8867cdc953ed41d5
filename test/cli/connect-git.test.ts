/** The real git of this machine against a server that checks the token, with nothing on the path but what every system has. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { withIo } from '../../src/cli/command-io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { answerTool } from '../../src/cli/connect/answer-tool.ts';
import type { ConnectedTool } from '../../src/contract/credential/connected-tools.ts';
import { GitServer } from '../tools/git-server.ts';
import { type CliResult, rotavox } from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'rotavox-connect-'));
const home = join(folder, 'home');
const dataDir = join(folder, "dä ta's $(folder)");
const settings = join(home, '.gitconfig');
const comments = '# mine\n[user]\n\tname = Ada ; me\n\temail = ada@example.com\n';
let service: ServiceHere;
let server: GitServer;

/** The password of a Basic authorization. */
function passwordOf(authorization = ''): string {
  const [, encoded = ''] = authorization.split(' ');
  return Buffer.from(encoded, 'base64').toString().split(':').slice(1).join(':');
}

async function works(token: string): Promise<boolean> {
  const { status } = await fetch(`${service.baseUrl}/v1/auth/token`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return status === 200;
}
const admits = (authorization: string) => works(passwordOf(authorization));

beforeAll(async () => {
  mkdirSync(home);
  service = await ServiceHere.start(dataDir, fileVault);
  server = await GitServer.start(admits);
  await service.cli('token', 'issue', '--name', 'nightly', '--validity', '7', '--keep-as', 'nightly');
});
afterAll(async () => {
  await server.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const { id } of await connections()) await run('disconnect', id);
  writeFileSync(settings, comments);
  server.admits = admits;
  server.authorizations.length = 0;
});

function run(...args: string[]): Promise<CliResult> {
  return rotavox(args, { dataDir, env: { HOME: home } });
}

async function connections(): Promise<{ id: string; credential: string }[]> {
  const { stdout } = await run('connect', 'list', '--json');
  return (JSON.parse(stdout) as { connections: { id: string; credential: string }[] }).connections;
}

function connect(...more: string[]): Promise<CliResult> {
  return run('connect', 'git', 'nightly', '--url', server.origin, '--username', 'oauth2', ...more);
}

/** Runs a command with a person who types this on its terminal. */
async function onTerminal(args: readonly string[], typed: string): Promise<CliResult> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(typed);
  const said = Promise.all([text(stdout), text(stderr)]);
  const end = await runCli(args, {
    env: { HOME: home, ROTAVOX_DATA_DIR: dataDir },
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout,
    stderr,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { code: typeof end === 'number' ? end : null, stdout: out, stderr: err };
}

/** Runs a program as one that a desktop has started: with a short path and no terminal. */
async function program(
  file: string,
  args: readonly string[],
  { cwd = folder, input = '', path = '/usr/bin:/bin' } = {},
): Promise<CliResult> {
  const child = spawn(file, [...args], {
    cwd,
    env: { HOME: home, PATH: path, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}
const git = (args: readonly string[], options?: { cwd?: string }) => program('git', args, options);

async function idOf(): Promise<string> {
  const [one] = await connections();
  if (one === undefined) throw new Error('Nothing is connected');
  return one.id;
}

/** A helper that writes down what it is asked, and answers with a password of its own. */
function otherHelper(name: string): { readonly file: string; readonly calls: () => string } {
  const file = join(folder, `${name}.sh`);
  const log = join(folder, `${name}.log`);
  writeFileSync(log, '');
  writeFileSync(file, `#!/bin/sh\necho "$1" >> '${log}'\ncat >> '${log}'\n`);
  chmodSync(file, 0o755);
  return { file, calls: () => readFileSync(log, 'utf8') };
}

describe('git, connected', () => {
  it('gets the current token for each fetch and push, and the next one after a rotation', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toContain(`+ [credential "${server.origin}"]`);
    expect(connected.stdout).not.toContain('failed');
    server.authorizations.length = 0;

    const clone = join(folder, 'clone');
    expect(await git(['clone', '--quiet', server.repository, clone])).toMatchObject({ code: 0 });
    writeFileSync(join(clone, 'file'), 'content');
    await git(['add', '.'], { cwd: clone });
    await git(['commit', '--quiet', '-m', 'first'], { cwd: clone });
    expect(await git(['push', '--quiet', 'origin', 'HEAD:main'], { cwd: clone })).toMatchObject({ code: 0 });

    const before = new Set(server.authorizations.map(passwordOf));
    expect(before.size).toBe(1);
    server.authorizations.length = 0;
    expect(await run('credential', 'rotate', 'nightly')).toMatchObject({ code: 0 });
    const listed = await git(['ls-remote', server.repository]);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('refs/heads/main');
    const [next, ...others] = new Set(server.authorizations.map(passwordOf));
    expect(others).toEqual([]);
    expect(before.has(next ?? '')).toBe(false);

    const { users } = ((await service.json('credential', 'show', 'nightly')) as { use: { users: unknown } })
      .use as { users: object[] };
    expect(users).toContainEqual(expect.objectContaining({ way: 'helper', name: 'git', generation: 2 }));
  });

  it('gets nothing for another port, another user or another path', async () => {
    const stranger = await GitServer.start(admits);
    await connect('--url', `${server.origin}/team`);
    server.authorizations.length = 0;
    const asked = [
      stranger.repository,
      server.repository.replace('//', '//somebody@'),
      `${server.origin}/teams/project.git`,
    ];
    for (const address of asked) {
      const { code, stderr } = await git(['ls-remote', address]);
      expect(code).toBe(128);
      expect(stderr).toContain('terminal prompts disabled');
      expect(stderr).not.toContain('Rotavox');
    }
    // Git itself sends the user name of an address, without a password.
    const sent = [...stranger.authorizations, ...server.authorizations].map(passwordOf);
    expect(sent.filter((password) => password !== '')).toEqual([]);
    expect(await git(['ls-remote', server.repository])).toMatchObject({ code: 0 });
    await stranger.stop();
  });

  it('is asked alone: a helper before it is not asked, and one after it is named', async () => {
    const earlier = otherHelper('earlier');
    const later = otherHelper('later');
    writeFileSync(settings, `${comments}[credential]\n\thelper = !${earlier.file} password=of-me\n`);
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stderr).toContain(`git will not ask !${earlier.file} (${settings})`);
    expect(await git(['ls-remote', server.repository])).toMatchObject({ code: 0 });
    expect(earlier.calls()).toBe('');

    appendFileSync(settings, `[credential]\n\thelper = ${later.file} password=of-me\n`);
    const checked = await run('connect', 'check');
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(`failed  ${later.file} (${settings}) comes after Rotavox`);
  });

  it('is stopped by a service that does not run, and says how to start it', async () => {
    await connect();
    const launcher = join(dataDir, 'tools', await idOf());
    const nowhere = join(folder, 'stopped');
    writeFileSync(
      nowhere,
      readFileSync(launcher, 'utf8').replace(
        /'--data-dir' '.*' 'helper'/,
        "'--data-dir' '/nowhere' 'helper'",
      ),
    );
    chmodSync(nowhere, 0o700);
    const input = `protocol=http\nhost=${new URL(server.origin).host}\n\n`;
    const stopped = await program(nowhere, ['get'], { input });
    expect(stopped).toMatchObject({ code: 1, stdout: 'quit=1\n' });
    expect(stopped.stderr).toMatch(/^Rotavox is not running .* Start it with .*\n$/);
  });

  it.runIf(process.platform === 'linux')(
    'runs with the token, which a person is asked about before a rotation',
    async () => {
      await connect();
      const launcher = join(dataDir, 'tools', await idOf());
      const input = `protocol=http\nhost=${new URL(server.origin).host}\n\n`;
      const ask = () => program('/bin/sh', ['-c', '"$0" get; true', launcher], { input });
      const shown = async () =>
        (await service.json('credential', 'show', 'nightly')) as {
          generation: number;
          use: { tools: object[] };
        };
      expect((await ask()).stdout).toContain('password=');
      const { generation, use } = await shown();
      // The shells between are left out.
      expect(use.tools).toMatchObject([{ pid: process.pid }]);

      const rotate = ['credential', 'rotate', 'nightly'];
      const said = `(pid ${process.pid}) runs with the current token, which stops working at once, and may fail.`;
      const no = await onTerminal(rotate, 'n\n');
      expect(no).toMatchObject({ code: 1 });
      expect(no.stderr).toContain(`${said}\nRotate now? [y/N] Nothing was rotated.`);
      expect(await shown()).toMatchObject({ generation });
      expect(await onTerminal([...rotate, '--yes'], '')).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining(said) as string,
      });
      expect(await shown()).toMatchObject({ generation: generation + 1, use: { tools: [] } });

      await ask();
      expect(await onTerminal(rotate, 'y\n')).toMatchObject({ code: 0 });
      // A script gets what it asks for. With `git credential` the caller is who uses the token, as git-lfs does.
      const filled = await program('git', ['credential', 'fill'], { input });
      expect(filled.stdout).toContain('password=');
      const scripted = await run(...rotate, '--json');
      expect(scripted).toMatchObject({ code: 0, stderr: expect.stringContaining(said) as string });
      expect(JSON.parse(scripted.stdout)).toMatchObject({ generation: generation + 3 });
    },
  );

  it('has a refused token looked into, and a previous one told from it', async () => {
    await connect();
    const launcher = join(dataDir, 'tools', await idOf());
    const { host } = new URL(server.origin);
    const old = passwordOf(server.authorizations.at(-1)) || (await run('get', 'nightly')).stdout.trim();
    server.admits = () => false;
    const refused = await git(['ls-remote', server.repository]);
    expect(refused.code).toBe(128);
    expect(refused.stderr).toContain('accepts the token, and git was refused');

    await run('credential', 'rotate', 'nightly');
    const input = (password: string) =>
      `protocol=http\nhost=${host}\nusername=oauth2\npassword=${password}\n\n`;
    expect(await program(launcher, ['erase'], { input: input(old) })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Rotavox: the token was rotated while git was running. Run the command again.\n',
    });
    const nothing = { code: 0, stdout: '', stderr: '' };
    expect(await program(launcher, ['erase'], { input: input('another') })).toEqual(nothing);
    expect(await program(launcher, ['store'], { input: input('another') })).toEqual(nothing);
    expect(await program(launcher, ['capability'], { input: '' })).toEqual(nothing);
    const { events } = (await service.json('history', '--kind', 'connection.token_refused')) as {
      events: { data: object }[];
    };
    expect(events.map(({ data }) => data)).toMatchObject([{ is_current: false }, { is_current: true }]);
  });
});

/** A tool's call with a time limit of 0.3 s: what it gets, and in how many milliseconds. */
async function timedAnswer(tool: ConnectedTool, args: string[], { folder: data = dataDir, input = '' } = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    spec: { cluster: { server: server.origin } },
  };
  const env = { KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  stdin.write(input);
  const startMs = performance.now();
  const code = await withIo({ env, stdin, stdout, stderr }, () =>
    answerTool({ tool, args, dataDir: data }, 300),
  );
  const tookMs = performance.now() - startMs;
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr), tookMs, stdin };
}

describe('a call by a tool', () => {
  const request = 'protocol=https\nhost=git.example.com\n\n';
  const late = 'Rotavox: no token came within 0.3 s. Try again.\n';

  it.each<[ConnectedTool, string, object]>([
    ['git', request, { code: 1, stdout: 'quit=1\n', stderr: late }],
    // Docker ends its input.
    ['docker', '', { code: 1, stdout: late, stderr: '' }],
    ['kubectl', '', { code: 1, stdout: '', stderr: late }],
  ])('ends in time where the service answers without an end: %s', async (tool, input, expected) => {
    const slow = createServer((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const closed = once(slow, 'close');
    onTestFinished(() => slow.closeAllConnections());
    const { port } = slow.address() as { port: number };
    const folder = mkdtempSync(join(tmpdir(), 'rotavox-slow-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const runtime = { pid: process.pid, base_url: `http://127.0.0.1:${port}`, portal_key: 'x', proves: true };
    writeFileSync(join(folder, 'runtime.json'), JSON.stringify(runtime));
    const args = [tool === 'docker' ? 'list' : 'get'];
    const answer = await timedAnswer(tool, args, { folder, input });
    expect(answer).toMatchObject(expected);
    expect(answer.tookMs).toBeLessThan(3_000);
    // Nothing keeps the process: the connection is closed, too.
    slow.close();
    await closed;
  });

  it.each<[ConnectedTool, string, object]>([
    ['git', 'protocol=https\n', { code: 1, stdout: 'quit=1\n', stderr: late }],
    ['docker', 'reg.example.com', { code: 1, stdout: late, stderr: '' }],
  ])('ends in time where its input has no end: %s', async (tool, input, expected) => {
    const answer = await timedAnswer(tool, ['get'], { input });
    expect(answer).toMatchObject(expected);
    expect(answer.tookMs).toBeLessThan(3_000);
    expect(answer.stdin.destroyed).toBe(true);
  });
});

describe('the setting of git', () => {
  it.each([
    ['that ends with a line break', comments],
    ['that does not', comments.trimEnd()],
    ['with lines of Windows and other bytes', '[user]\r\n\tname = \u00c4da\r\n# \u00ff'],
    ['that has a section of this address', '[credential "http://127.0.0.1"]\n\thelper = cache\n'],
    ['that is empty', ''],
    ['that is not there', null],
  ])('is taken back byte by byte, in a file %s', async (_what, content) => {
    const bytes = content === null ? null : Buffer.from(content, 'latin1');
    if (bytes === null) rmSync(settings);
    else writeFileSync(settings, bytes);
    const dry = await connect('--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(existsSync(settings) ? readFileSync(settings) : null).toEqual(bytes);
    expect(await connections()).toEqual([]);

    expect(await connect()).toMatchObject({ code: 0 });
    const id = await idOf();
    expect(readFileSync(settings, 'utf8')).toContain(id);
    expect(await run('disconnect', id, '--dry-run')).toMatchObject({ code: 0 });
    expect(readFileSync(settings, 'utf8')).toContain(id);
    expect(await run('disconnect', id)).toMatchObject({ code: 0 });
    expect(existsSync(settings) ? readFileSync(settings) : null).toEqual(bytes);
    expect(readdirSync(join(dataDir, 'tools'))).toEqual([]);
  });

  it.each([
    ['a file', comments],
    ['no file yet', null],
  ])('is written behind links, which stay: to %s', async (_what, content) => {
    const behind = join(folder, 'dotfiles');
    rmSync(behind, { recursive: true, force: true });
    mkdirSync(behind);
    rmSync(settings);
    symlinkSync(join(behind, 'link'), settings);
    symlinkSync('gitconfig', join(behind, 'link'));
    if (content !== null) writeFileSync(join(behind, 'gitconfig'), content, { mode: 0o640 });
    expect(await connect()).toMatchObject({ code: 0 });
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(behind, 'link')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(behind, 'gitconfig')).isFile()).toBe(true);
    if (content !== null) expect(lstatSync(join(behind, 'gitconfig')).mode & 0o777).toBe(0o640);
    expect(await run('disconnect', await idOf())).toMatchObject({ code: 0 });
    expect(lstatSync(join(behind, 'link')).isSymbolicLink()).toBe(true);
    expect(existsSync(settings) ? readFileSync(settings, 'utf8') : null).toBe(content);
    rmSync(settings);
  });

  it('is left, and that is said, where somebody has edited it', async () => {
    await connect();
    const id = await idOf();
    const edited = readFileSync(settings, 'utf8').replace('\thelper = \n', '\thelper = \n\t# why\n');
    writeFileSync(settings, edited);
    const { code, stderr } = await run('disconnect', id);
    expect(code).toBe(0);
    expect(stderr).toContain('was edited since, so it was left alone');
    expect(readFileSync(settings, 'utf8')).toBe(edited);
  });

  it('is left, and that is said, where lines that another program added belong to it', async () => {
    await connect();
    const id = await idOf();
    await git(['config', '--global', `credential.${server.origin}.provider`, 'generic']);
    const added = readFileSync(settings, 'utf8');
    expect(added).toMatch(/'\n\tprovider = generic\n$/);
    expect((await run('connect', 'check', id)).stdout).toContain('the section was edited since');
    const { code, stderr } = await run('disconnect', id);
    expect(code).toBe(0);
    expect(stderr).toContain(`Remove what has ${id} in it by hand`);
    expect(readFileSync(settings, 'utf8')).toBe(added);
  });

  it('is taken back where only comments and other sections follow', async () => {
    await connect();
    const rest = '\n# mine\n[core]\n\tpager = less\n';
    writeFileSync(settings, readFileSync(settings, 'utf8') + rest);
    expect((await run('disconnect', await idOf())).stderr).toContain('is as it was without the connection');
    expect(readFileSync(settings, 'utf8')).toBe(comments + rest);
  });

  it('is added to a file that was written anew, and taken back from it', async () => {
    writeFileSync(settings, comments.trimEnd());
    await connect();
    writeFileSync(settings, '[core]\n\tpager = less\n');
    expect(await run('connect', 'repair')).toMatchObject({ code: 0 });
    expect(await git(['ls-remote', server.repository])).toMatchObject({ code: 0 });
    await run('disconnect', await idOf());
    expect(readFileSync(settings, 'utf8')).toBe('[core]\n\tpager = less\n');
  });

  it('is repaired with its program, and twice is harmless', async () => {
    await connect();
    const id = await idOf();
    const made = readFileSync(settings, 'utf8');
    writeFileSync(settings, comments);
    rmSync(join(dataDir, 'tools', id));
    const broken = await run('connect', 'check', id);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain('is missing or cannot be run');
    expect(broken.stdout).toContain('does not name the program');
    expect(await run('connect', 'repair', id)).toMatchObject({ code: 0 });
    expect(await run('connect', 'repair')).toMatchObject({ code: 0 });
    expect(readFileSync(settings, 'utf8')).toBe(made);
  });

  it('is made once for an address, or replaced', async () => {
    await connect();
    const id = await idOf();
    const again = await connect();
    expect(again.code).toBe(1);
    expect(again.stderr).toContain(`rotavox disconnect ${id}`);
    expect(await connect('--replace')).toMatchObject({ code: 0 });
    expect(await connections()).toHaveLength(1);
    expect(await idOf()).toBe(id);
    expect(readFileSync(settings, 'utf8').match(/\[credential/g)).toHaveLength(1);
  });

  it('has no token in it, and neither has anything else that is written or said', async () => {
    const said = [
      await connect(),
      await run('connect', 'check'),
      await git(['ls-remote', server.repository]),
    ];
    const token = passwordOf(server.authorizations.at(-1));
    expect(await works(token)).toBe(true);
    const written = [settings, join(dataDir, 'tools', await idOf()), join(dataDir, 'state.json')];
    const texts = [
      ...said.flatMap(({ stdout, stderr }) => [stdout, stderr]),
      ...written.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8')),
      ...readdirSync(join(dataDir, 'journal')).map((name) =>
        readFileSync(join(dataDir, 'journal', name), 'utf8'),
      ),
      ...service.said,
    ];
    for (const one of texts) expect(one.includes(token)).toBe(false);
  });

  it('needs a newer git to send a token alone', async () => {
    const { code, stderr } = await connect('--scheme', 'bearer');
    const [, minor = '0'] = /git version 2\.(\d+)/.exec((await git(['version'])).stdout) ?? [];
    if (Number(minor) >= 46) expect(code).toBe(0);
    else {
      expect(code).toBe(1);
      expect(stderr).toContain('2.46 or newer');
      expect(await connections()).toEqual([]);
    }
  });
});
