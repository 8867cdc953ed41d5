/**
 * Disks that a test can fill.
 *
 * `FileSizeLimit`: the kernel refuses to let the service's files grow (`prlimit`, any Linux, no rights needed), to the
 * byte. `SmallDisk`: a separate tmpfs, filled by a file; only where mounting is permitted.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface FullDisk {
  readonly folder: string;
  /** From now on at most `leftBytes` more fit into the file that is being written. */
  fill(leftBytes: number): void;
  free(): void;
}

export const canLimitFileSize = spawnSync('prlimit', ['--version']).status === 0;
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && canMountTmpfs();

/** Limits how large a file the process may write. */
export function limitFileSize(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

/** A disk of `size` bytes, unmounted when the test is over. */
export function mountSmallDisk(size: number): FullDisk {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  const filler = join(folder, 'filler');
  return {
    folder: join(folder, 'data'),
    fill(leftBytes) {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
    },
    free() {
      rmSync(filler, { force: true });
    },
  };
}

function canMountTmpfs(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (isMounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}
