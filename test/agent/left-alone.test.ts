/**
 * The main purpose of the product: a remote service, the embedded one with a real keychain, and no action by a
 * person.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import type { IssuedToken } from '../../src/contract/token/token.ts';
import { freshDataDir, removeDataDir, rotavox, RunningService } from '../cli/rotavox.ts';
import { menu } from '../cli/menu.ts';

const run = promisify(execFile);

/** What a program needs to find the desktop's keychain. */
const desktop = Object.fromEntries(
  ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'DISPLAY'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

async function start(args: readonly string[] = []): Promise<RunningService> {
  const dataDir = await freshDataDir();
  const service = await RunningService.start(dataDir, args, desktop);
  onTestFinished(async () => {
    await service.stop();
    await removeDataDir(dataDir);
  });
  return service;
}

async function json<T>(service: RunningService, args: readonly string[], stdin = ''): Promise<T> {
  const { code, stdout, stderr } = await rotavox([...args, '--json'], { dataDir: service.dataDir, stdin });
  if (code !== 0) throw new Error(`rotavox ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

async function createMenu(service: RunningService, bearer: string): Promise<number> {
  const reply = await fetch(`${service.baseUrl}/v1/ivr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(menu),
  });
  return reply.status;
}

it(
  'keeps three credentials of a remote service working past the expiry of their tokens, in the real keychain, without a person',
  { tags: ['long'] },
  async () => {
    const remote = await start();
    const here = await start(['--vault', 'keychain']);
    const endsInSeconds = [6, 7, 8];
    const names = endsInSeconds.map((seconds) => `left-alone-${process.pid}-${seconds}`);
    const old: string[] = [];
    for (const [place, seconds] of endsInSeconds.entries()) {
      const endsAt = new Date(Date.now() + seconds * 1000).toISOString();
      const issued = await json<IssuedToken>(remote, [
        'token',
        'issue',
        '--name',
        'nightly',
        '--validity',
        '1',
        '--expires-at',
        endsAt,
      ]);
      old.push(issued.access_token);
      await json<CredentialView>(
        here,
        ['credential', 'add', names[place] ?? '', '--base-url', remote.baseUrl],
        issued.access_token,
      );
    }

    const list = (): Promise<{ credentials: CredentialView[] }> => json(here, ['credential', 'list']);
    await expect
      .poll(async () => (await list()).credentials.map(({ generation }) => generation), { timeout: 30_000 })
      .toEqual([2, 2, 2]);

    for (const [place, name] of names.entries()) {
      const { stdout: inKeychain } = await run('secret-tool', [
        'lookup',
        'service',
        'rotavox',
        'account',
        name,
      ]);
      const { stdout: got } = await rotavox(['get', name], { dataDir: here.dataDir });
      expect(got).toBe(`${inKeychain}\n`);
      expect(inKeychain).not.toBe(old[place]);
      expect(await createMenu(remote, old[place] ?? ''), 'the old one is dead').toBe(401);
      expect(await createMenu(remote, inKeychain), 'the newest one works').toBe(200);
    }
    for (const view of (await list()).credentials) {
      expect(view).toMatchObject({ service: 'remote', state: 'fine', trouble: null, validity_days: 1 });
      expect(Date.parse(view.next_rotation_at ?? '')).toBeGreaterThan(Date.now());
    }
    const { tokens } = await json<{ tokens: { status: string }[] }>(remote, ['token', 'list']);
    expect(tokens.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'Active'),
      ...Array.from({ length: 3 }, () => 'Superseded'),
    ]);
  },
);
