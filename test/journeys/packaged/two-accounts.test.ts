import { expect } from '@playwright/test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { RunningApp } from '../electron/running-app.ts';
import { Owner } from '../owner.ts';
import { test } from './packaged-app.ts';

test.skip(
  process.platform !== 'linux' || process.getuid?.() !== 0,
  'only root can start the app as another account',
);

const nobody = 65_534;

test('two accounts of one computer have a port each, and no dialog is in the way of the second', async ({
  launch,
  start,
  owner,
  executablePath,
}) => {
  start('--hidden');
  await expect.poll(() => owner.isRunning, { timeout: 30_000 }).toBe(true);
  const taken = Number(new URL(owner.baseUrl).port);

  const folder = mkdtempSync(join(tmpdir(), 'rotavox-shared-'));
  chmodSync(folder, 0o755);
  cpSync(dirname(executablePath), join(folder, 'Rotavox'), { recursive: true });
  const home = join(folder, 'home');
  mkdirSync(home);
  chownSync(home, nobody, nobody);
  const display = process.env['XAUTHORITY'];
  if (display !== undefined) {
    copyFileSync(display, join(home, '.Xauthority'));
    chownSync(join(home, '.Xauthority'), nobody, nobody);
  }
  const dataDir = join(home, 'data');
  const second = new Owner(dataDir);
  const startAsNobody = (port: string) =>
    new RunningApp({
      executablePath: 'setpriv',
      args: [
        `--reuid=${nobody}`,
        `--regid=${nobody}`,
        '--clear-groups',
        join(folder, 'Rotavox', basename(executablePath)),
        ...launch.args,
        '--hidden',
      ],
      env: {
        PATH: process.env['PATH'],
        DISPLAY: process.env['DISPLAY'],
        HOME: home,
        XDG_CONFIG_HOME: home,
        XDG_RUNTIME_DIR: home,
        XAUTHORITY: join(home, '.Xauthority'),
        ROTAVOX_DATA_DIR: dataDir,
        ROTAVOX_PORT: port,
      },
    });
  let app = startAsNobody('0');
  try {
    await expect.poll(() => second.isRunning, { timeout: 30_000 }).toBe(true);
    // What is 7682 for everybody; here another number, which nothing else on this computer wants.
    await second.ask('changeSettings', { body: { port: taken } });
    await app.endBy('SIGTERM');
    expect(existsSync(second.runtimeFile)).toBe(false);
    app = startAsNobody('');
    await expect.poll(() => second.isRunning, { timeout: 30_000 }).toBe(true);
    const { port } = new URL(second.baseUrl);
    expect(Number(port)).toBeGreaterThan(taken);
    expect(app.words).toContain(`Port ${taken} has the Rotavox of the account “root”`);
    expect((await second.ask('readSettings')).port).toBe(Number(port));
    await app.endBy('SIGTERM');
  } finally {
    await app.clearAway();
    rmSync(folder, { recursive: true, force: true });
  }
});
