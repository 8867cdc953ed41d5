/**
 * Disks that a test can fill.
 *
 * `FileSizeLimit`: the kernel refuses to let the service's files grow (`prlimit`, any Linux, no rights needed), to the
 * byte. `SmallDisk`: a separate tmpfs, made as small as what is on it; only where mounting is permitted.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
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
  const disk = smallDiskAt(folder, size);
  onTestFinished(() => {
    disk.unmount();
    rmdirSync(folder);
  });
  return {
    folder: join(folder, 'data'),
    fill: (leftBytes) => disk.fill(leftBytes),
    free: () => disk.free(),
  };
}

export interface SmallDisk extends FullDisk {
  unmount(): void;
}

/** A disk of `size` bytes in an empty folder. The folder belongs to whom it belonged. */
export function smallDiskAt(folder: string, size: number): SmallDisk {
  const { uid, gid } = statSync(folder);
  const options = `size=${size},mode=0700,uid=${uid},gid=${gid}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  const resize = (bytes: number) => spawnSync('mount', ['-o', `remount,size=${bytes}`, folder]).status === 0;
  return {
    folder,
    fill(leftBytes) {
      let isFull = false;
      // Refused when another process wrote more meanwhile.
      while (!isFull) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        isFull = resize((blocks - bfree + Math.floor(leftBytes / bsize)) * bsize);
      }
    },
    free() {
      resize(size);
    },
    unmount() {
      execFileSync('umount', ['--lazy', folder]);
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
