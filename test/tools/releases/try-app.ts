/**
 * Starts an installed program and waits until its service answers: `node test/tools/releases/try-app.ts PROGRAM [ARGUMENT…]`.
 *
 * On a data folder and a free port of its own; fails if it ends early or takes longer than a minute, and ends what it started.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('Name the program.');
const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-try-'));
const runtimeFile = join(dataDir, 'runtime.json');
const env = { ...process.env, ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0' };
const child = spawn(program, args, {
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32' && !program.endsWith('.exe'),
});
const endMs = performance.now() + 60_000;

interface Runtime {
  readonly pid: number;
  readonly base_url: string;
}

try {
  const runtime = await whenReady();
  const response = await fetch(`${runtime.base_url}/v1/health`);
  const health = (await response.json()) as { status: string; version: string };
  if (health.status !== 'ok') throw new Error(`The service answers ${JSON.stringify(health)}.`);
  console.log(`Rotavox ${health.version} runs at ${runtime.base_url}.`);
  process.kill(runtime.pid, 'SIGTERM');
  await whenEnded();
} finally {
  child.kill();
  // A program on Windows is ended at once and may still hold its files.
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
}

/** Waits until the service has removed that file, its last step; Windows ends it at once. */
async function whenEnded(): Promise<void> {
  while (process.platform !== 'win32' && existsSync(runtimeFile)) {
    if (performance.now() > endMs) throw new Error('It did not end in time.');
    await wait(200);
  }
}

/** Reads the file that the service writes when it is ready. The program may have started it and ended. */
async function whenReady(): Promise<Runtime> {
  while (!existsSync(runtimeFile)) {
    if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`It ended with ${child.exitCode}.`);
    if (performance.now() > endMs) throw new Error('Its service did not answer in time.');
    await wait(200);
  }
  return JSON.parse(readFileSync(runtimeFile, 'utf8')) as Runtime;
}
