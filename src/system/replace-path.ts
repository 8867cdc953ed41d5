/*
 * Renaming and removing, on every system. Nothing else in src renames (test/architecture).
 *
 * Windows refuses to replace, move or delete a file while a virus scanner, an indexer or a backup has it open, which they do with new
 * files for moments. See decisions/windows.md.
 */
import { renameSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** What the loop needs of a system. Tests play Windows with it. */
export interface RenamingSystem {
  readonly platform: NodeJS.Platform;
  rename(from: string, to: string): Promise<void>;
  renameSync(from: string, to: string): void;
  /** In milliseconds, of a clock that nobody sets. */
  now(): number;
  wait(ms: number): Promise<void>;
  waitSync(ms: number): void;
}

const thisSystem: RenamingSystem = {
  platform: process.platform,
  rename,
  renameSync,
  now: () => performance.now(),
  wait: (ms) => wait(ms),
  waitSync: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * What Windows says of a file that another program has open: a sharing violation is EBUSY, and a denied access EPERM, which newer
 * versions of libuv call EACCES. https://github.com/libuv/libuv/blob/v1.x/src/win/error.c
 */
const openElsewhere: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long it may be open, in milliseconds. Programs that see this often wait ten seconds or longer: decisions/windows.md. */
export const renameLimitMs = 10_000;
const shortestWaitMs = 10;
const longestWaitMs = 250;

/**
 * Renames a file or a folder, also over a file that exists.
 *
 * On Windows it is tried again for ten seconds while another program has it open. Rejects with the last error of the system; then nothing
 * was changed.
 */
export async function replacePath(from: string, to: string, system = thisSystem): Promise<void> {
  await replacePathWhile(async () => true, from, to, system);
}

/**
 * The same for what others change, too: `mayReplace` is asked before each attempt. False: it said no, and nothing was changed.
 *
 * What has the file open may be the program that is changing it.
 */
export async function replacePathWhile(
  mayReplace: () => Promise<boolean>,
  from: string,
  to: string,
  system = thisSystem,
): Promise<boolean> {
  const pauses = pausesOf(system);
  while (await mayReplace()) {
    try {
      await system.rename(from, to);
      return true;
    } catch (error) {
      await system.wait(pauses.after(error));
    }
  }
  return false;
}

/** The same on the calling thread, which waits: for small files, and where nothing else can be done at that time. */
export function replacePathSync(from: string, to: string, system = thisSystem): void {
  const pauses = pausesOf(system);
  for (;;) {
    try {
      return system.renameSync(from, to);
    } catch (error) {
      system.waitSync(pauses.after(error));
    }
  }
}

/** How long to wait after each error; throws it where another attempt cannot help, or the time is over. */
function pausesOf(system: RenamingSystem): { after(error: unknown): number } {
  const untilMs = system.now() + renameLimitMs;
  let nextMs = shortestWaitMs;
  return {
    after(error) {
      const isOpen = system.platform === 'win32' && openElsewhere.has((error as NodeJS.ErrnoException).code);
      if (!isOpen || system.now() >= untilMs) throw error;
      const pauseMs = nextMs;
      nextMs = Math.min(2 * nextMs, longestWaitMs);
      return pauseMs;
    },
  };
}

/**
 * How Node removes a folder: on Windows it waits 100 ms longer after each failure, 5.5 seconds in all.
 * https://nodejs.org/api/fs.html#fspromisesrmpath-options
 */
const folderRemoval = {
  recursive: true,
  force: true,
  maxRetries: process.platform === 'win32' ? 10 : 0,
} as const;

/** Removes a folder with everything in it, if it exists. Rejects with the error of the system. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, folderRemoval);
}
