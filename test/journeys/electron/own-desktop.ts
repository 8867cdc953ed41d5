import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onDesktop } from '../../tools/desktop-session.ts';

/** Prints where it is, and stays until its input ends: also when who asked for it was killed. */
const tellAndStay = 'console.log(JSON.stringify(process.env)); process.stdin.resume();';

/**
 * Gives this process a desktop of its own, which all that it starts from then on uses. Returns how to end it.
 *
 * Workers side by side share no screen, message bus, keychain, clipboard and settings, so that none sees the panel, the notices
 * or the windows of another.
 */
export async function moveToOwnDesktop(): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'rotavox-desktop-'));
  const command = { argv: [process.execPath, '-e', tellAndStay], timeoutMs: 0 } as const;
  const { argv, env } = await onDesktop(command, scratch);
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    env: { ...process.env, ...env, XDG_CONFIG_HOME: join(scratch, 'config') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let told = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout as AsyncIterable<string>) {
    told += chunk;
    if (told.endsWith('\n')) break;
  }
  const there = JSON.parse(told) as NodeJS.ProcessEnv;
  for (const name of Object.keys(process.env))
    if (!(name in there)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, there);
  return async () => {
    child.stdin.end();
    await ended;
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
}
