import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFile } from '../../../src/launcher/ensure-built.ts';
import { appStartText } from '../../../src/text/app-start.ts';
import { Owner } from '../owner.ts';
import { test } from './launch-app.ts';

test.skip(process.platform !== 'linux', 'displays are taken away as on Linux');

/** Runs the built command line with its own data folder, and ends what it has started. */
async function withCommand(
  act: (
    rotavox: (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<{ code: number; stderr: string }>,
    dataDir: string,
  ) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-app-command-'));
  const owner = new Owner(dataDir);
  try {
    await act(
      (args, env = {}) =>
        new Promise((resolve) => {
          const given = { env: { ...process.env, ROTAVOX_DATA_DIR: dataDir, ...env } };
          execFile(
            process.execPath,
            [builtFile('cli/index.js'), ...args],
            given,
            (error, _stdout, stderr) => {
              resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr });
            },
          );
        }),
      dataDir,
    );
  } finally {
    if (owner.isRunning) process.kill(owner.pid, 'SIGTERM');
    await expect.poll(() => owner.isRunning).toBe(false);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

test('`rotavox app` says that the app runs, where its log is, and shows the window of one that runs', async () => {
  await withCommand(async (rotavox, dataDir) => {
    const first = await rotavox(['app', '--port', '0']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toMatch(
      /The desktop app runs, and its service answers at http:\/\/127\.0\.0\.1:\d+\./,
    );
    const logs = join(dataDir, 'logs');
    expect(readdirSync(logs)).toHaveLength(1);
    expect((await rotavox(['app'])).stderr).toContain(appStartText.shown);
    expect((await rotavox(['app', '--hidden'])).stderr).toContain(appStartText.runsAlready);
    const printed = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
    expect(printed.join('')).not.toMatch(/portal_key|rvx_/);
  });
});

test('`rotavox app` says that no window can open where no display answers', async () => {
  await withCommand(async (rotavox, dataDir) => {
    const { code, stderr } = await rotavox(['app', '--port', '0'], { DISPLAY: ':7777', WAYLAND_DISPLAY: '' });
    expect(code).toBe(0);
    expect(stderr).toContain('No window can open: ');
    expect(stderr).toMatch(/The service runs without a window at http:\/\/127\.0\.0\.1:\d+\./);
    const logs = join(dataDir, 'logs');
    const [name = ''] = readdirSync(logs);
    const printed = readFileSync(join(logs, name), 'utf8');
    expect(printed).toContain('`rotavox open`');
    expect(printed, 'a link signs in anybody who reads it').not.toContain('?code=');
  });
});
