import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UpdateError } from './update-source.ts';
import { refuseDownload } from './verify-download.ts';

/**
 * Puts a downloaded AppImage in the place of the one that runs, in one rename.
 *
 * electron-updater deletes the old file before it moves the new one there; a crash or a full disk in between leaves a
 * person without the program. Here the new one is copied beside the old, hashed as it is copied, synced, then renamed
 * over it. The running program keeps the old file open and does not notice. The name stays, also where it holds the old
 * version: menu entries and the autostart file point to it.
 */
export async function replaceAppImage({
  downloaded,
  installed,
  sha512s,
}: {
  downloaded: string;
  installed: string;
  sha512s: readonly string[];
}): Promise<void> {
  const target = await realpath(installed);
  const fresh = join(dirname(target), `.${basename(target)}.new`);
  try {
    const { mode } = await stat(target);
    await rm(fresh, { force: true });
    const sha512 = await copyHashed(downloaded, fresh);
    if (!sha512s.includes(sha512)) await refuseDownload(downloaded);
    await chmod(fresh, mode & 0o777);
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error instanceof UpdateError ? error : notReplaced(target, error);
  }
  await syncFolder(dirname(target));
  await rm(downloaded, { force: true });
}

/** Copies to a file that must not be there yet, synced; returns the SHA-512 of what was written, in base64. */
async function copyHashed(from: string, to: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(
    createReadStream(from, { highWaterMark: 1024 * 1024 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return hash.digest('base64');
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notReplaced(target: string, error: unknown): UpdateError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new UpdateError(
    `The new version could not be put in the place of ${target} (${code}); the present one is untouched. Make sure that its folder can be written to and has room, then try again.`,
    { cause: error },
  );
}
