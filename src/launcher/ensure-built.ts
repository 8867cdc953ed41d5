import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isBuildFresh } from './build-stamp.ts';
import { checkoutDir } from './checkout.ts';

const lockFile = join(checkoutDir, 'node_modules', '.cache', 'rotavox', 'build.lock');
const lockTimeoutMs = 120_000;

/** The path of a built file, for instance `builtFile('cli/index.js')`. */
export function builtFile(path: string): string {
  return join(checkoutDir, 'out', path);
}

/**
 * Builds the app if its build is missing or older than its sources, and otherwise returns at once.
 *
 * Only one process builds at a time: the others wait for it and use its result. Of the builder's output nothing is told unless it
 * fails. Throws an Error whose message says what to do.
 */
export async function ensureBuilt({ tell }: { tell: (line: string) => void }): Promise<void> {
  if (isBuildFresh(checkoutDir)) return;
  const release = await takeBuildLock();
  try {
    if (isBuildFresh(checkoutDir)) return; // another process built it while we waited
    tell('Building Rotavox. This takes half a minute, and only after a change of the sources …');
    await build(tell);
  } finally {
    release();
  }
}

async function build(tell: (line: string) => void): Promise<void> {
  const builder = join(checkoutDir, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  if (!existsSync(builder)) {
    throw new Error(
      `Rotavox cannot be built: its dependencies are not installed in ${checkoutDir}. Run: npm ci`,
    );
  }
  const child = spawn(process.execPath, [builder, 'build'], {
    cwd: checkoutDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (log += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    tell(log.trim());
    throw new Error(
      'Rotavox was not started: its build failed, for the reason above. Fix it and start again.',
    );
  }
}

/** Waits for the build lock and returns a function that releases it; the lock of a process that has ended is taken over. */
async function takeBuildLock(): Promise<() => void> {
  mkdirSync(dirname(lockFile), { recursive: true });
  const deadline = Date.now() + lockTimeoutMs;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return () => rmSync(lockFile, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!isOwnerAlive()) rmSync(lockFile, { force: true });
    else if (Date.now() > deadline) {
      throw new Error(
        `Another process has been building Rotavox for over two minutes. If none is: rm ${lockFile}`,
      );
    } else await delay(100);
  }
}

function isOwnerAlive(): boolean {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return true; // just created, the pid follows
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
