import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test.skip(process.platform !== 'linux', 'elsewhere the desktop that is there is used');

/** What a worker does that has a desktop, and nothing else. */
const worker = `
  import { moveToOwnDesktop } from ${JSON.stringify(join(import.meta.dirname, 'own-desktop.ts'))};
  await moveToOwnDesktop();
  setInterval(() => undefined, 60_000);
`;

// In the order in which they start; the last one is there as long as the desktop.
for (const program of ['Xvfb', 'gnome-keyring-d', 'cat'])
  test(`nothing of a desktop is left when its worker is killed as soon as it has ${program}`, async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'k-'));
    const child = spawn(process.execPath, ['--input-type=module', '--eval', worker], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: 'ignore',
    });
    try {
      await expect.poll(() => programsIn(scratch), { intervals: [10] }).toContain(program);
    } finally {
      child.kill('SIGKILL');
      await expect.poll(() => programsIn(scratch)).toEqual([]);
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  });

/** The names of the programs that have a folder for their temporary files. */
function programsIn(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isThere = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}`);
      return isThere ? [readFileSync(`/proc/${pid}/comm`, 'utf8').trim()] : [];
    } catch {
      return []; // no process, or it ended while we looked
    }
  });
}
