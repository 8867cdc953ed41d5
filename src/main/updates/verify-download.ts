import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { wrongChecksum } from './explain-failure.ts';
import { UpdateError } from './update-source.ts';

/**
 * Looks once more at a file that is about to be run, and deletes it when it is another.
 *
 * Between the download and this, hours may have passed, in a folder that every program of the user may write to.
 */
export async function verifyDownload(file: string, sha512s: readonly string[]): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (!sha512s.includes(hash.digest('base64'))) await refuseDownload(file);
}

export async function refuseDownload(file: string): Promise<never> {
  await rm(file, { force: true });
  throw new UpdateError(wrongChecksum);
}
