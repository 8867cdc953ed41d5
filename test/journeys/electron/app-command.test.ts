import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findDesktopApp } from '../../../src/cli/desktop-app.ts';
import { programDir } from '../../../src/cli/own-command.ts';
import { startDesktopApp } from '../../../src/cli/start-app.ts';
import { builtFile } from '../../../src/launcher/ensure-built.ts';
import { appStartText } from '../../../src/text/service/app-start.ts';
import { Owner } from '../owner.ts';
import { test } from './launch-app.ts';

const execute = promisify(execFile);

test.skip(process.platform !== 'linux', 'displays are taken away as on Linux');

/** A start with all that is built and looked for before it, on a machine that does other work. */
const limitMs = 60_000;

interface Started {
  readonly dataDir: string;
  /** What a person is told about the start. */
  readonly told: string;
  /** The built command line. Answers what it tells. */
  rotavox(...args: string[]): Promise<string>;
}

/** Starts the app as `rotavox app` does, with its own data folder, and ends what was started. */
async function withApp(env: NodeJS.ProcessEnv, act: (started: Started) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-app-command-'));
  const owner = new Owner(dataDir);
  const whole = { ...process.env, ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0', ...env };
  try {
    const program = findDesktopApp(programDir, { platform: process.platform, environment: whole })!;
    const told = await startDesktopApp({ program, dataDir, env: whole, limitMs });
    await act({
      dataDir,
      told: told.join('\n'),
      rotavox: async (...args) => {
        const { stderr } = await execute(process.execPath, [builtFile('cli/index.js'), ...args], {
          env: whole,
        });
        return stderr;
      },
    });
  } finally {
    if (owner.isRunning) process.kill(owner.pid, 'SIGTERM');
    await expect.poll(() => owner.isRunning).toBe(false);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

test('`rotavox app` says that the app runs, where its log is, and shows the window of one that runs', async () => {
  await withApp({}, async ({ told, dataDir, rotavox }) => {
    expect(told).toMatch(/The desktop app runs, and its service answers at http:\/\/127\.0\.0\.1:\d+\./);
    const logs = join(dataDir, 'logs');
    expect(readdirSync(logs)).toHaveLength(1);
    expect(await rotavox('app')).toContain(appStartText.shown);
    expect(await rotavox('app', '--hidden')).toContain(appStartText.runsAlready);
    const printed = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
    expect(printed.join('')).not.toMatch(/portal_key|rvx_/);
  });
});

test('`rotavox app` says that no window can open where no display answers', async () => {
  await withApp({ DISPLAY: ':7777', WAYLAND_DISPLAY: '' }, async ({ told, dataDir }) => {
    expect(told).toContain('No window can open: ');
    expect(told).toMatch(/The service runs without a window at http:\/\/127\.0\.0\.1:\d+\./);
    const logs = join(dataDir, 'logs');
    const [name = ''] = readdirSync(logs);
    const printed = readFileSync(join(logs, name), 'utf8');
    expect(printed).toContain('`rotavox open`');
    expect(printed, 'a link signs in anybody who reads it').not.toContain('?code=');
  });
});
