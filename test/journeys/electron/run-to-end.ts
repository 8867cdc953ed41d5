import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Launch } from './running-app.ts';

/** Runs a program to its end, or until it has printed `endAt`. */
export async function runToEnd(
  { executablePath, args, env }: Launch,
  { endAt }: { endAt?: string } = {},
): Promise<{ code: number | null; words: string }> {
  const child = spawn(executablePath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      words += chunk;
      if (endAt !== undefined && words.includes(endAt)) child.kill('SIGKILL');
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, words };
}
