import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkoutDir } from './checkout.ts';

/** What Node looks for to see whether something was injected: https://nodejs.org/api/single-executable-applications.html */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Runs the built command line, which lies beside the executable's folder. */
const script = `require('node:module').createRequire(process.execPath)('../out/cli/index.js');\n`;

/** The builds that the command line consists of; `rotavox serve` shows the windows and speaks, too. */
const builds = [
  'cli',
  'client',
  'chunks',
  'renderer',
  'speech',
  join('prebuilds', `${process.platform}-${process.arch}`),
];

/** electron-builder's description of the app that it has just put together, before it is signed. */
interface Packed {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
}

/**
 * Adds the command line to a desktop package: `bin/rotavox`, an executable of its own, and the builds that it runs.
 *
 * The packed Electron runs no scripts (`runAsNode` in electron-builder.yml), and a machine with a desktop package may have no
 * Node. So the executable is this Node, with a script in it. electron-builder calls this function by its name.
 */
// see decisions/command-line-of-desktop-packages.md
export function afterPack({ appOutDir, electronPlatformName }: Packed): void {
  const resources =
    electronPlatformName === 'darwin'
      ? join(appOutDir, 'Rotavox.app', 'Contents', 'Resources')
      : join(appOutDir, 'resources');
  makeExecutable(join(resources, 'bin'));
  for (const build of builds)
    cpSync(join(checkoutDir, 'out', build), join(resources, 'out', build), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
}

function makeExecutable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, process.platform === 'win32' ? 'rotavox.exe' : 'rotavox');
  const scratch = mkdtempSync(join(tmpdir(), 'rotavox-command-'));
  const runNode = (...args: string[]): unknown =>
    execFileSync(process.execPath, args, { cwd: scratch, stdio: 'pipe' });
  try {
    const config = { main: 'main.cjs', output: 'blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(scratch, config.main), script);
    writeFileSync(join(scratch, 'config.json'), JSON.stringify(config));
    runNode('--experimental-sea-config', 'config.json');
    copyFileSync(process.execPath, executable);
    chmodSync(executable, 0o755);
    if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', executable]);
    const inject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
    const options = ['--sentinel-fuse', sentinelFuse, '--macho-segment-name', 'NODE_SEA'];
    runNode(inject, executable, 'NODE_SEA_BLOB', config.output, ...options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
