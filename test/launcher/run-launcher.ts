import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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
