import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { checkoutDir, launcherCacheDir } from './checkout.ts';

const electronFileNames: Partial<Record<NodeJS.Platform, string>> = {
  darwin: join('Electron.app', 'Contents', 'MacOS', 'Electron'),
  win32: 'electron.exe',
};

/** The name of Electron's executable inside its folder on this platform. */
export const electronFileName: string = electronFileNames[process.platform] ?? 'electron';

const electronPackageDir = join(checkoutDir, 'node_modules', 'electron');
const distDir = join(electronPackageDir, 'dist');

/** A download that received nothing for this long is cancelled … */
const stallMs = 30_000;
/** … and so is one that is not complete after this long. */
const downloadLimitMs = 15 * 60_000;
/** How long a failed download is remembered, so that not every start waits for it again. */
const failureKeptMs = 24 * 60 * 60_000;

type Download =
  | { readonly kind: 'fetched'; readonly distDir: string }
  | { readonly kind: 'failed'; readonly reason: string };
type RememberedFailure = {
  readonly version: string;
  readonly route: string;
  readonly at: string;
  readonly why: string;
};

/** The file that records a failed download; without it the next start tries at once. */
export function failedDownloadNote(env: NodeJS.ProcessEnv): string {
  return join(launcherCacheDir(env), 'electron-download-failed.json');
}

/** The folder of the installed official Electron, if it is complete and of the version in package.json. */
export function findOfficialElectron(): string | undefined {
  const versionFile = join(distDir, 'version');
  if (!existsSync(join(distDir, electronFileName)) || !existsSync(versionFile)) return undefined;
  return readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') === electronVersion()
    ? distDir
    : undefined;
}

/**
 * Installs the official Electron with its own installer, from its cache or from its release host.
 *
 * The installer checks the hash. A failure is remembered for a day (the reason says so, and how to try at once); a file
 * in Electron's cache is used even then, because it needs no network.
 */
export async function fetchOfficialElectron({
  tell,
  env,
}: {
  tell: (line: string) => void;
  env: NodeJS.ProcessEnv;
}): Promise<Download> {
  const version = electronVersion();
  const memory = failedDownloadNote(env);
  const isCached = isInElectronCache(version, env);
  const route = downloadRoute(env);
  const failure = rememberedFailure(memory, { version, route });
  if (!isCached && failure !== undefined) {
    const until = new Date(Date.parse(failure.at) + failureKeptMs);
    return {
      kind: 'failed',
      reason: `the official Electron ${version} could not be downloaded (${failure.why}; next try after ${localTime(until)})`,
    };
  }

  if (!isCached) tell(`Downloading Electron ${version} from its release host, about 120 MB, once …`);
  const why = await runInstaller(env);
  if (why === undefined && findOfficialElectron() !== undefined) {
    rmSync(memory, { force: true });
    return { kind: 'fetched', distDir };
  }
  const remembered: RememberedFailure = {
    version,
    route,
    at: new Date().toISOString(),
    why: why ?? 'the installer left no runtime',
  };
  mkdirSync(launcherCacheDir(env), { recursive: true });
  writeFileSync(memory, JSON.stringify(remembered));
  return {
    kind: 'failed',
    reason: `the official Electron ${version} could not be downloaded (${remembered.why}; next try in a day)`,
  };
}

function electronVersion(): string {
  const { version } = JSON.parse(readFileSync(join(electronPackageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** Runs electron's installer and returns why it failed, or nothing if it did not. */
async function runInstaller(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  mkdirSync(launcherCacheDir(env), { recursive: true });
  // The installer downloads into the temporary folder: in a separate one we can see whether bytes still arrive.
  const downloadDir = mkdtempSync(join(launcherCacheDir(env), 'download-'));
  const child = spawn(process.execPath, [join(electronPackageDir, 'install.js')], {
    env: { ...env, TMPDIR: downloadDir, TEMP: downloadDir, TMP: downloadDir, NODE_USE_ENV_PROXY: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (words = (words + chunk).slice(-20_000)));

  let gaveUp: string | undefined;
  const startedAt = Date.now();
  let lastBytes = 0;
  let lastGrowthAt = startedAt;
  const watch = setInterval(() => {
    const bytes = bytesIn(downloadDir) + bytesIn(distDir);
    if (bytes !== lastBytes) [lastBytes, lastGrowthAt] = [bytes, Date.now()];
    if (Date.now() - lastGrowthAt > stallMs) gaveUp = `nothing arrived for ${stallMs / 1000} s`;
    if (Date.now() - startedAt > downloadLimitMs)
      gaveUp = `not done after ${downloadLimitMs / 60_000} minutes`;
    if (gaveUp !== undefined) child.kill('SIGKILL');
  }, 1000);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return undefined;
    return gaveUp ?? causeIn(words);
  } finally {
    clearInterval(watch);
    rmSync(downloadDir, { recursive: true, force: true });
  }
}

/** The most helpful line of the installer's stack trace: the network's cause if there is one. */
function causeIn(words: string): string {
  const cause =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOSPC|EACCES|CERT_\w+|UND_ERR_\w+)\b/.exec(
      words,
    );
  if (cause?.[1]) return cause[1];
  const line = words.split('\n').find((candidate) => candidate.includes('Error: '));
  return (
    line
      ?.replace(/^.*?Error: /, '')
      .replace(/ for https?:.*|\.$/, '')
      .trim() ?? 'its installer failed'
  );
}

/** The last failure, if it is of today and of this very download. */
function rememberedFailure(
  memory: string,
  { version, route }: { version: string; route: string },
): RememberedFailure | undefined {
  if (!existsSync(memory)) return undefined;
  try {
    const failure = JSON.parse(readFileSync(memory, 'utf8')) as RememberedFailure;
    const ageMs = Date.now() - Date.parse(failure.at);
    const isSame = failure.version === version && failure.route === route;
    return isSame && ageMs >= 0 && ageMs < failureKeptMs ? failure : undefined;
  } catch {
    return undefined; // a damaged record is ignored: the download is tried again
  }
}

/** A digest of the settings for reaching the release host: after a change of mirror or proxy, the download is tried again. */
function downloadRoute(env: NodeJS.ProcessEnv): string {
  const names = ['ELECTRON_MIRROR', 'npm_config_electron_mirror', 'HTTPS_PROXY', 'https_proxy'];
  return createHash('sha256')
    .update(names.map((name) => env[name] ?? '').join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** Whether Electron's download cache holds this version's archive, which then installs without a network. */
function isInElectronCache(version: string, env: NodeJS.ProcessEnv): boolean {
  const cacheRoot = env['electron_config_cache'] ?? defaultElectronCacheDir(env);
  const archive = `electron-v${version}-${process.platform}-${process.arch}.zip`;
  if (!existsSync(cacheRoot)) return false;
  return readdirSync(cacheRoot, { withFileTypes: true }).some(
    (entry) =>
      entry.name === archive || (entry.isDirectory() && existsSync(join(cacheRoot, entry.name, archive))),
  );
}

/** The folder in which @electron/get keeps its downloads by default. */
function defaultElectronCacheDir(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '.';
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'electron');
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'electron', 'Cache');
  return join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'electron');
}

function bytesIn(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (entry.isFile())
        bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    // The installer removes and renames files meanwhile; the next check, a second later, sees the new state.
  }
  return bytes;
}

function localTime(instant: Date): string {
  return instant.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
