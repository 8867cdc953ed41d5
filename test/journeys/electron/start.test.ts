import { expect } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { Owner } from '../owner.ts';
import { test } from './launch-app.ts';

test.skip(process.platform !== 'linux', 'displays are taken away and processes counted as on Linux');

for (const [where, without, words] of [
  ['on a desktop it is the app', [], /^$/m],
  [
    'without a display it is the service alone, and says so in a line',
    ['DISPLAY', 'WAYLAND_DISPLAY'],
    /there is no display/,
  ],
] as const) {
  test(`npm start: ${where}; Ctrl+C ends it cleanly`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-start-'));
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !(without as readonly string[]).includes(name)),
    );
    // What package.json's script runs; npm itself ends by the signal, whatever its script answers.
    const script = join(checkoutDir, 'src', 'launcher', 'start.ts');
    const child = spawn(process.execPath, [script, '--port', '0', '--data-dir', dataDir], {
      cwd: checkoutDir,
      env: { ...env, BROWSER: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, as a terminal gives it
    });
    try {
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
      }
      const owner = new Owner(dataDir);
      await expect.poll(() => owner.isRunning).toBe(true);
      expect(printed).toMatch(words);
      expect((await owner.issueToken({ name: 'it serves', validity_days: 1 })).id).toMatch(/^tok_/);

      const ended = once(child, 'close');
      process.kill(-child.pid!, 'SIGINT'); // to the whole group, as Ctrl+C does it
      const [code] = (await ended) as [number | null];
      expect(code).toBe(0);
      expect(owner.isRunning).toBe(false);
      await expect.poll(() => commandLinesWith(dataDir), 'processes that are left').toEqual([]);
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
}

/** The command lines of all processes that name a folder. */
function commandLinesWith(folder: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(folder) ? [line] : [];
      } catch {
        return []; // it ended while we looked
      }
    });
}
