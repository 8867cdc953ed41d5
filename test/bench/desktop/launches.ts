import { cpSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { electronFlags, findElectronRuntime } from '../../../src/launcher/electron-runtime.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { runScript } from '../child-process.ts';
import type { Launch } from './desktop-app.ts';

/** An app in the tray, and its tooltip once it is complete. */
export interface TrayLaunch extends Launch {
  readonly tooltip: RegExp;
}

/** An app with a window, and an expression that is true in its page once a person can use it. */
export interface WindowLaunch extends Launch {
  readonly isReady: string;
}

/** What is compared, all of it on the same Electron. */
export interface Launches {
  readonly hello: TrayLaunch;
  readonly emptyWindow: WindowLaunch;
  readonly none: TrayLaunch & WindowLaunch;
  readonly thousand: TrayLaunch & WindowLaunch;
}

const here = import.meta.dirname;

/** Builds what is stale, and creates a profile, and if needed a data folder, for each in `scratch`. */
export async function prepareLaunches(scratch: string, env: NodeJS.ProcessEnv): Promise<Launches> {
  const tell = (line: string): void => {
    console.log(`  (${line})`);
  };
  await ensureBuilt({ tell });
  const runtime = await findElectronRuntime({ tell });
  if (runtime.kind === 'missing') throw new Error(`There is no Electron to measure with: ${runtime.reason}`);
  // A separate copy: memory pages of a file that other programs use too would be shared with them.
  const dist = join(scratch, 'electron');
  cpSync(runtime.distDir, dist, { recursive: true });
  const executablePath = join(dist, relative(runtime.distDir, runtime.executablePath));
  const electron = [executablePath, ...electronFlags()] as const;
  const simple = (name: string, folder: string): Launch => ({
    name,
    argv: [...electron, `--user-data-dir=${join(scratch, folder)}`, join(here, folder)],
    env,
  });
  const ours = async (name: string, credentials: number, tooltip: RegExp) => {
    const dataDir = join(scratch, String(credentials));
    await runScript({ args: [join(here, '../seed-credentials.ts'), dataDir, String(credentials)] }, 60_000);
    return {
      name,
      argv: [...electron, checkoutDir],
      env: { ...env, ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0' },
      tooltip,
      isReady: saysRunning,
    } as const;
  };
  return {
    hello: { ...simple('hello world', 'hello-tray'), tooltip: /^Hello$/ },
    emptyWindow: { ...simple('empty window', 'hello-window'), isReady: 'true' },
    none: await ours('no credential', 0, /^Rotavox$/),
    thousand: await ours('1,000 credentials', 1_000, /^credential-\d+ · \d+d/),
  };
}

/** The status in the corner of each of our windows, once its page has an answer from the service. */
const saysRunning = `[...document.querySelectorAll('[role=status]')].some((sign) => sign.textContent === 'Running')`;
