import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkoutDir } from '../../src/launcher/checkout.ts';

/** Runs a command of the launcher until it ends, like npm. */
export async function runLauncher(
  file: 'pack.ts' | 'start.ts',
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(checkoutDir, 'src', 'launcher', file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...printed };
}

/** A folder with these files, by path and text, that is removed with the test. */
export function scratchFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-launcher-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) writeInto(folder, path, text);
  return folder;
}

/** Writes one file under a folder, with the folders above it. */
export function writeInto(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
