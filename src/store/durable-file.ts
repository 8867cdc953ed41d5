import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner reads and writes. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/**
 * Replaces a file so that a crash at any instant leaves the old content or the new, whole.
 *
 * Temp file beside it, fsync, rename, fsync of the folder: a rename is durable only once its folder is.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', privateFile);
  try {
    await write(file);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
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
