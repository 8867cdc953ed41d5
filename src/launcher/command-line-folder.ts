import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { checkoutDir } from './checkout.ts';
import { brandExecutable } from './windows-executable.ts';

/** What Node looks for to see whether something was injected: https://nodejs.org/api/single-executable-applications.html */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Runs the built command line, which lies beside the executable's folder. */
const script = `require('node:module').createRequire(process.execPath)('../out/cli/index.js');\n`;

/** The builds that the command line consists of; `rotavox serve` shows the windows and speaks, too. */
const builds = ['cli', 'client', 'chunks', 'renderer', 'speech'];

/** The names of processors, in the order in which electron-builder numbers them. */
const arches = ['ia32', 'x64', 'armv7l', 'arm64'];

/** In the environment of electron-builder, the Node to inject into, where that of this machine is for another system. */
export const nodeVariable = 'ROTAVOX_PACK_NODE';

/** electron-builder's description of the app that it has just put together, before it is signed. */
interface Packed {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly arch: number;
}

/**
 * Adds the command line to a desktop package: `bin/rotavox`, an executable of its own, and the builds that it runs.
 *
 * The packed Electron runs no scripts (`runAsNode` in electron-builder.yml), and a machine with a desktop package may have no
 * Node. So the executable is a Node with a script in it: this one, or for another system the same version for that.
 * electron-builder calls this function by its name.
 */
// see decisions/command-line-of-desktop-packages.md
export function afterPack({ appOutDir, electronPlatformName, arch }: Packed): void {
  const resources =
    electronPlatformName === 'darwin'
      ? join(appOutDir, 'Rotavox.app', 'Contents', 'Resources')
      : join(appOutDir, 'resources');
  makeExecutable(join(resources, 'bin'), electronPlatformName);
  const keytar = join('prebuilds', `${electronPlatformName}-${arches[arch] ?? ''}`);
  for (const build of [...builds, keytar])
    cpSync(join(checkoutDir, 'out', build), join(resources, 'out', build), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
}

function makeExecutable(folder: string, platform: string): void {
  mkdirSync(folder, { recursive: true });
  const node = process.env[nodeVariable] ?? process.execPath;
  const executable = join(folder, platform === 'win32' ? 'rotavox.exe' : 'rotavox');
  const scratch = mkdtempSync(join(tmpdir(), 'rotavox-command-'));
  const runNode = (...args: string[]): unknown =>
    execFileSync(process.execPath, args, { cwd: scratch, stdio: 'pipe' });
  try {
    const config = { main: 'main.cjs', output: 'blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(scratch, config.main), script);
    writeFileSync(join(scratch, 'config.json'), JSON.stringify(config));
    runNode('--experimental-sea-config', 'config.json');
    if (platform === 'win32') {
      const icon = join(checkoutDir, 'resources', 'icon.ico');
      brandExecutable(node, executable, { icon, version: packageJson.version });
    } else copyFileSync(node, executable);
    chmodSync(executable, 0o755);
    if (platform === 'darwin') execFileSync('codesign', ['--remove-signature', executable]);
    const inject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
    const options = ['--sentinel-fuse', sentinelFuse, '--macho-segment-name', 'NODE_SEA'];
    runNode(inject, executable, 'NODE_SEA_BLOB', config.output, ...options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
