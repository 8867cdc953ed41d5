import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Launch } from './running-app.ts';

/** Ends a test that waits for the end of a program. It asserts no time. */
const endLimitMs = 100_000;

/** Runs a program to its end, or until it has printed `endAt`. Throws with its words when it does not end. */
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
  const limit = AbortSignal.timeout(endLimitMs);
  const [code] = (await once(child, 'close', { signal: limit }).catch((cause: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`The program does not end. It said:\n${words}`, { cause });
  })) as [number | null];
  return { code, words };
}
