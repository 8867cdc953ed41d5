import { createPackage } from '@electron/asar';
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { electronFlags, findElectronRuntime } from '../../../src/launcher/electron-runtime.ts';
import { ensurePacked } from '../../../src/launcher/pack-app.ts';
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

/**
 * Packs what is stale, and creates a profile, and if needed a data folder, for each in `scratch`.
 *
 * All in the form in which people install them: an Electron with the app in an archive beside it.
 */
export async function prepareLaunches(scratch: string, env: NodeJS.ProcessEnv): Promise<Launches> {
  const tell = (line: string): void => {
    console.log(`  (${line})`);
  };
  const packed = await ensurePacked({ tell });
  const runtime = await findElectronRuntime({ tell });
  if (runtime.kind === 'missing') throw new Error(`There is no Electron to measure with: ${runtime.reason}`);
  // Separate copies: memory pages of a file that other programs use too would be shared with them.
  const copied = (folder: string, executable: string, name: string): string => {
    cpSync(folder, join(scratch, name), { recursive: true, verbatimSymlinks: true });
    return join(scratch, name, relative(folder, executable));
  };
  const simple = async (name: string, folder: string): Promise<Launch> => {
    const executable = copied(runtime.distDir, runtime.executablePath, `${folder}-packed`);
    const resources = join(scratch, `${folder}-packed`, 'resources');
    rmSync(join(resources, 'default_app.asar'), { force: true });
    const app = join(scratch, `${folder}-app`);
    mkdirSync(app);
    copyFileSync(join(here, `${folder}.cjs`), join(app, 'main.cjs'));
    writeFileSync(
      join(app, 'package.json'),
      JSON.stringify({ name: folder, version: '1.0.0', main: 'main.cjs' }),
    );
    writeFileSync(join(app, 'index.html'), '<!doctype html>\n<title>Hello</title>\n');
    copyFileSync(join(checkoutDir, 'out/tray/fine-12-light.png'), join(app, 'icon.png'));
    await createPackage(app, join(resources, 'app.asar'));
    return { name, argv: [executable, ...electronFlags(), `--user-data-dir=${join(scratch, folder)}`], env };
  };
  const own = copied(dirname(packed.executablePath), packed.executablePath, 'rotavox-packed');
  const ours = async (name: string, credentials: number, tooltip: RegExp) => {
    const dataDir = join(scratch, String(credentials));
    await runScript({ args: [join(here, '../seed-credentials.ts'), dataDir, String(credentials)] }, 60_000);
    return {
      name,
      argv: [own, ...electronFlags()],
      env: { ...env, ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0' },
      tooltip,
      isReady: saysRunning,
    } as const;
  };
  return {
    hello: { ...(await simple('hello world', 'hello-tray')), tooltip: /^Hello$/ },
    emptyWindow: { ...(await simple('empty window', 'hello-window')), isReady: 'true' },
    none: await ours('no credential', 0, /^Rotavox$/),
    thousand: await ours('1,000 credentials', 1_000, /^credential-\d+ · \d+ d/),
  };
}

/** The status in the corner of each of our windows, once its page has an answer from the service. */
const saysRunning = `[...document.querySelectorAll('[role=status]')].some((sign) => sign.textContent === 'Running')`;
