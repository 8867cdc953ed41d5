import { test as base } from '@playwright/test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { electronFlags } from '../../../src/launcher/electron-runtime.ts';
import { ensurePacked } from '../../../src/launcher/pack-app.ts';
import { Owner } from '../owner.ts';
import { RunningApp } from '../electron/running-app.ts';
import type { Launch } from '../electron/running-app.ts';

interface WorkerFixtures {
  /** The binary that `npm run pack` makes. */
  executablePath: string;
}

interface Fixtures {
  /** Whether the app starts again after it was killed. */
  startsAgain: boolean;
  dataDir: string;
  launch: Launch;
  /** Starts the app and lets it run. */
  start: (...args: string[]) => RunningApp;
  owner: Owner;
}

/** The packed app, started as a person starts it, on a data folder and a port of its own. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  executablePath: [
    async ({}, use) => {
      const { executablePath } = await ensurePacked({ tell: console.error });
      await use(executablePath);
    },
    { scope: 'worker', timeout: 20 * 60_000 },
  ],
  startsAgain: [false, { option: true }],
  dataDir: async ({ startsAgain }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-packaged-'));
    if (!startsAgain) {
      mkdirSync(join(dataDir, 'window-profile'));
      writeFileSync(join(dataDir, 'window-profile', 'desktop.json'), JSON.stringify({ startsAgain }));
    }
    await use(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  },
  launch: async ({ dataDir, executablePath }, use) => {
    const env = { ...process.env, ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0' };
    await use({ executablePath, args: electronFlags(), env });
  },
  start: async ({ launch }, use) => {
    const started: RunningApp[] = [];
    await use((...args) => {
      const app = new RunningApp({ ...launch, args: [...launch.args, ...args] });
      started.push(app);
      return app;
    });
    for (const app of started) await app.clearAway();
  },
  owner: async ({ dataDir }, use) => {
    await use(new Owner(dataDir));
  },
});
