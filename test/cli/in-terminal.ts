import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished } from 'vitest';
import { builtFile } from '../../src/launcher/ensure-built.ts';

const script = '/usr/bin/script';

/** Whether this machine can give a command a new terminal: with `script` of util-linux. */
export const hasTerminals = process.platform === 'linux' && existsSync(script);

/** A command of ours for a shell. */
export function shellLine(args: readonly string[]): string {
  return [process.execPath, builtFile('cli/index.js'), ...args]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ');
}

/** Runs a line of shell in a new terminal, with a person who can read and type. */
export function inTerminal(line: string, dataDir: string) {
  const { PATH } = process.env;
  const child = spawn(script, ['-qefc', line, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH, SHELL: '/bin/sh', TERM: 'xterm', HOME: tmpdir(), ROTAVOX_DATA_DIR: dataDir },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  return {
    /** The exit code, as in a shell. */
    ended,
    /** Everything that the terminal has shown. */
    screen: () => screen,
    shows: (text: string) => expect.poll(() => screen, { timeout: 20_000 }).toContain(text),
    type: (keys: string) => void child.stdin.write(keys),
  };
}
