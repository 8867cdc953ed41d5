import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';

/** Only the owner reads and writes. */
const privateFile = 0o600;

/**
 * Replaces a file so that a crash at any instant leaves the old content or the new, whole.
 *
 * A new file of its own name beside it (nobody can have put a link there), fsync, rename, fsync of the folder: a rename
 * is durable only once its folder is. Rejects with what the system says; then the old content is still there.
 */
export async function replaceVaultFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`;
  const file = await open(temporary, 'wx', privateFile);
  try {
    await writeAndClose(file, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Takes away what a process that died in the middle of a replacement has left. */
export async function removeLeftovers(path: string): Promise<void> {
  const name = basename(path);
  for (const found of await readdir(dirname(path), { withFileTypes: true })) {
    const rest = found.name.startsWith(`${name}.`) ? found.name.slice(name.length + 1) : '';
    const isLeft = found.isFile() && /^[0-9a-f]{16}\.new$/.test(rest);
    if (isLeft) await rm(join(dirname(path), found.name), { force: true });
  }
}

async function writeAndClose(file: FileHandle, content: string): Promise<void> {
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
