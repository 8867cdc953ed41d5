/**
 * A rotation that becomes due in the middle of a clone, where the old token ends at once. Seen with a real git: the server is asked for the
 * list of branches with the token, and then, a long time later, for the objects.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtRotavox } from '../cli/rotavox.ts';
import { fileVault, ServiceHere } from '../cli/service-here.ts';
import { GitServer } from '../tools/git-server.ts';

let folder: string;
let home: string;
let service: ServiceHere;
let server: GitServer;

async function admits(authorization: string): Promise<boolean> {
  const [, encoded = ''] = authorization.split(' ');
  const token = Buffer.from(encoded, 'base64').toString().split(':').slice(1).join(':');
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${service.baseUrl}/v1/auth/token`, { headers })).status === 200;
}

/** A repository with a file in it, and a token of 200 seconds, which is rotated in its last tenth. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rotavox-slow-clone-'));
  home = join(folder, 'home');
  mkdirSync(home);
  server = await GitServer.start(() => true);
  const work = join(folder, 'work');
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  await git(['clone', '--quiet', server.repository.replace('//', '//ada:secret@'), work]);
  writeFileSync(join(work, 'file'), 'content\n');
  await git(['add', 'file'], work);
  await git([...ada, 'commit', '--quiet', '-m', 'One'], work);
  expect(await git(['push', '--quiet', 'origin', 'HEAD:main'], work)).toMatchObject({ code: 0 });
  server.admits = admits;

  service = await ServiceHere.start(join(folder, 'data'), fileVault);
  const expires = new Date(Date.now() + 200_000).toISOString();
  const issue = ['token', 'issue', '--name', 'nightly', '--validity', '7', '--expires-at', expires];
  await service.cli(...issue, '--keep-as', 'nightly');
  await service.cli('credential', 'policy', 'nightly', '--fraction', '0.9');
  const connect = ['connect', 'git', 'nightly', '--url', server.origin, '--username', 'oauth2'];
  const { dataDir } = service;
  // A process of its own: the check of the connection counts as a tool while it runs.
  const connected = await builtRotavox(connect, { dataDir, env: { HOME: home } });
  expect(connected).toMatchObject({ code: 0 });
}, 120_000);
afterEach(async () => {
  await server.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function git(args: readonly string[], cwd = folder) {
  const child = spawn('git', [...args], {
    cwd,
    env: { HOME: home, PATH: '/usr/bin:/bin', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** A clone that has the list of branches, and waits for the objects until it is released. */
async function startClone() {
  const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  let calls = 0;
  server.admits = async (authorization) => {
    calls += 1;
    if (calls === 2) {
      reach(undefined);
      await released;
    }
    return admits(authorization);
  };
  const clone = git(['clone', '--quiet', server.repository, join(folder, 'clone')]);
  await reached;
  return { clone, release: () => release(undefined) };
}

interface Shown {
  readonly state: string;
  readonly generation: number;
  readonly next_rotation_at: string;
  readonly trouble: object | null;
  readonly waits_for_tools?: { readonly until: string; readonly tools: readonly { readonly pid: number }[] };
}
const shown = async () => (await service.json('credential', 'show', 'nightly')) as Shown;

it('waits for the clone, which finishes, and is made then', async () => {
  const { clone, release } = await startClone();
  await service.cli('credential', 'policy', 'nightly', '--fraction', '0.1');
  await expect
    .poll(async () => (await shown()).waits_for_tools?.tools, { timeout: 60_000 })
    .toMatchObject([{ name: 'git' }]);
  const { waits_for_tools: wait, ...waiting } = await shown();
  expect(waiting).toMatchObject({ state: 'due', generation: 1, next_rotation_at: wait?.until });
  expect(readFileSync(`/proc/${wait?.tools[0]?.pid ?? 0}/comm`, 'utf8').trim()).toBe('git-remote-http');
  const { stdout } = await service.cli('credential', 'show', 'nightly');
  expect(stdout).toMatch(/Next rotation +waits for git \(pid \d+\), until .* at the latest/);

  release();
  expect(await clone).toMatchObject({ code: 0, stderr: '' });
  await expect.poll(async () => (await shown()).generation, { timeout: 60_000 }).toBe(2);
  expect(await shown()).toMatchObject({ state: 'fine', trouble: null });
  // The next step of a long job is another process, and asks for the token anew: one that is handed a token at its start fails there
  // (https://github.com/sourcegraph/sourcegraph-public-snapshot/issues/60682).
  expect(await git(['remote', 'show', 'origin'], join(folder, 'clone'))).toMatchObject({ code: 0 });
}, 180_000);

it('breaks the clone where a person wants it now, and that the old token is refused raises no alarm', async () => {
  const { clone, release } = await startClone();
  const rotated = await service.cli('credential', 'rotate', 'nightly', '--yes');
  expect(rotated).toMatchObject({ code: 0 });
  release();
  const broken = await clone;
  expect(broken.code).not.toBe(0);
  expect(broken.stderr).toContain('the token was rotated while git was running. Run the command again.');
  expect(await shown()).toMatchObject({ state: 'fine', generation: 2, trouble: null });
  const { events } = (await service.json('history', '--kind', 'connection.token_refused')) as {
    events: { data: object }[];
  };
  expect(events.map(({ data }) => data)).toMatchObject([{ is_current: false }]);
  server.admits = admits;
  expect(await git(['clone', '--quiet', server.repository, join(folder, 'again')])).toMatchObject({
    code: 0,
  });
}, 180_000);
