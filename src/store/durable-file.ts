import { randomBytes } from 'node:crypto';
import { type BigIntStats, closeSync, fsyncSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replacePath, replacePathSync } from '../system/replace-path.ts';

/** Only the owner reads and writes. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/**
 * The name of a file until it replaces another: `state.json.<16 hex digits>.new`.
 *
 * For every file that is written and then renamed. The name cannot be guessed, and the file is opened with `wx`, which makes a
 * new file or fails and follows no link: so no other user can redirect the content or keep a file open that becomes ours. Files
 * that a crash leaves in the data folder are removed by `removeLeftovers` (`private-folder.ts`).
 */
export function temporaryFor(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}.new`;
}

/**
 * Replaces a file so that a crash at any instant leaves the old content or the new, whole.
 *
 * Temp file beside it, fsync, rename, fsync of the folder: a rename is durable only once its folder is.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = temporaryFor(path);
  const file = await open(temporary, 'wx+', privateFile);
  try {
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await replacePath(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** The same for a small text, on the calling thread. */
export function replaceFileSync(path: string, content: string): void {
  const temporary = temporaryFor(path);
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: privateFile, flush: true });
    replacePathSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Makes new, renamed and removed names in a folder durable. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A file or folder, identified by itself: its path may lead to another one later, or to none.
 *
 * A deleted file's number may be reused, unless the file is open. So a file that is not kept open must never
 * change: then its modification time identifies it, too.
 */
export class KnownFile {
  readonly #path: string;
  readonly #isConstant: boolean;
  readonly #known: BigIntStats;

  constructor(path: string, { isConstant = false }: { readonly isConstant?: boolean } = {}) {
    this.#path = path;
    this.#isConstant = isConstant;
    this.#known = statSync(path, { bigint: true });
  }

  /** Whether the path still leads to it. One system call, one or two microseconds. */
  isInPlace(): boolean {
    const { dev, ino, mtimeNs } = this.#known;
    try {
      const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
      if (found?.ino !== ino || found.dev !== dev) return false;
      return !this.#isConstant || found.mtimeNs === mtimeNs;
    } catch {
      return false; // it cannot be read: its disk was removed, or a folder above it is closed to us
    }
  }
}
