import { expect } from '@playwright/test';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { electronFlags } from '../../../src/launcher/electron-runtime.ts';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { builtFile } from '../../../src/launcher/ensure-built.ts';
import { freePort } from '../../tools/free-port.ts';
import { StatusPage } from '../pages/status-page.ts';
import { test } from '../electron/launch-app.ts';
import { RunningApp } from '../electron/running-app.ts';

test.skip(process.platform !== 'linux', 'processes are counted in /proc');

/** A folder that is not there yet, on the file system of the build, so that one can take the place of the other at once. */
function keptBeside(name: string): string {
  const folder = join(checkoutDir, 'node_modules', '.cache', 'rotavox', name);
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

test('`npm run dev` shows a window that reaches its service, and Ctrl+C leaves nothing of it', async ({
  start,
  executablePath,
  owner,
}) => {
  // It writes a build of its own over the one that the other journeys start, which is put back afterwards.
  const [built, kept, own] = [builtFile('.'), keptBeside('build-before-dev'), keptBeside('build-of-dev')];
  cpSync(built, kept, { recursive: true });
  const app = new RunningApp({
    executablePath: 'npm',
    // npm takes the first pair of dashes, electron-vite the second; the rest is for Electron.
    args: ['run', 'dev', '--', '--', ...electronFlags()],
    env: { ...start.env, ELECTRON_EXEC_PATH: executablePath, ROTAVOX_PORT: String(await freePort()) },
  });
  try {
    // A window is made before it has a page, and one without a page cannot be looked at.
    await expect.poll(() => owner.isRunning).toBe(true);
    const page = await app.firstPage();
    await new StatusPage(page).expectRunning();
    await owner.issueToken({ name: 'in development', validity_days: 1 });
    await expect(new StatusPage(page).row('in development')).toBeVisible();

    await app.interrupt();
    await expect.poll(() => app.processes()).toEqual([]);
    expect(existsSync(owner.runtimeFile), 'the service said goodbye').toBe(false);
  } finally {
    await app.clearAway();
    renameSync(built, own);
    renameSync(kept, built);
    rmSync(own, { recursive: true });
  }
});
