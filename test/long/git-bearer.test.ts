/** A git that can send a token alone (2.46 or newer, of Debian 13) against a server that takes nothing else, and an older one beside it. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rotavox } from '../cli/rotavox.ts';
import { fileVault, ServiceHere } from '../cli/service-here.ts';
import { unpackedRoot } from '../tools/asterisk-root.ts';
import { GitServer } from '../tools/git-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'rotavox-bearer-'));
const home = join(folder, 'home');
const dataDir = join(folder, "dä ta's");
const programs = join(folder, 'programs');
let service: ServiceHere;
let server: GitServer;

/** Only `Bearer` and a token that works. */
async function admits(authorization: string): Promise<boolean> {
  const { status } = await fetch(`${service.baseUrl}/v1/auth/token`, { headers: { authorization } });
  return authorization.startsWith('Bearer ') && status === 200;
}

beforeAll(async () => {
  mkdirSync(home);
  await writeNewGit();
  service = await ServiceHere.start(dataDir, fileVault);
  server = await GitServer.start(admits);
  await service.cli('token', 'issue', '--name', 'nightly', '--validity', '7', '--keep-as', 'nightly');
}, 120_000);
afterAll(async () => {
  await server.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Programs that start the unpacked ones with their own libraries, also where git starts them. */
async function writeNewGit(): Promise<void> {
  const { folder: root, loader, libraries } = await unpackedRoot(['git'], 'trixie');
  mkdirSync(programs);
  for (const name of ['git', 'git-remote-http']) {
    const file = join(programs, name);
    const real = join(root, 'usr/lib/git-core', name);
    writeFileSync(file, `#!/bin/sh\nexec '${loader}' --library-path '${libraries}' '${real}' "$@"\n`);
    chmodSync(file, 0o700);
  }
}

const newGit = () => ({ HOME: home, PATH: `${programs}:/usr/bin:/bin`, GIT_EXEC_PATH: programs });

async function git(args: readonly string[], env: NodeJS.ProcessEnv = newGit(), cwd = folder) {
  const child = spawn('git', [...args], {
    cwd,
    env: { ...env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

it('sends the current token alone: clone, push, and a fetch after a rotation; an older git says what it lacks', async () => {
  expect((await git(['--version'])).stdout).toMatch(/^git version 2\.(?:4[6-9]|[5-9]\d)/);
  const connected = await rotavox(
    ['connect', 'git', 'nightly', '--url', server.origin, '--username', 'oauth2', '--scheme', 'bearer'],
    { dataDir, env: newGit() },
  );
  expect(connected.code).toBe(0);
  expect(connected.stdout).toContain('git gets the current token');

  const work = join(folder, 'work');
  expect(await git(['clone', '--quiet', server.repository, work])).toMatchObject({ code: 0 });
  writeFileSync(join(work, 'file'), 'content\n');
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  await git(['add', 'file'], newGit(), work);
  await git([...ada, 'commit', '--quiet', '-m', 'One'], newGit(), work);
  expect(await git(['push', '--quiet', 'origin', 'HEAD:main'], newGit(), work)).toMatchObject({ code: 0 });

  const before = new Set(server.authorizations.filter((one) => one.startsWith('Bearer ')));
  expect(before.size).toBe(1);
  await service.cli('credential', 'rotate', 'nightly');
  expect(await git(['fetch', '--quiet'], newGit(), work)).toMatchObject({ code: 0 });
  expect(before.has(server.authorizations.at(-1)!)).toBe(false);
  expect(server.authorizations.every((one) => one.startsWith('Bearer '))).toBe(true);

  // The same configuration, read by the git of this machine.
  const older = { HOME: home, PATH: '/usr/bin:/bin' };
  const [, minor = '0'] = /git version 2\.(\d+)/.exec((await git(['--version'], older)).stdout) ?? [];
  const refused = await git(['ls-remote', server.repository], older);
  if (Number(minor) >= 46) expect(refused.code).toBe(0);
  else {
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('2.46');
  }

  const { stdout } = await rotavox(['connect', 'list', '--json'], { dataDir, env: newGit() });
  const [{ id }] = (JSON.parse(stdout) as { connections: [{ id: string }] }).connections;
  expect(await rotavox(['disconnect', id], { dataDir, env: newGit() })).toMatchObject({ code: 0 });
  expect(await git(['config', '--global', '--list'])).toMatchObject({ stdout: '' });
}, 120_000);
