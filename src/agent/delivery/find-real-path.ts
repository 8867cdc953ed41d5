import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCodeOf } from './file-trouble.ts';

/**
 * Where a path leads through all symbolic links, also when the file at the end does not exist yet.
 *
 * A rename onto a link would replace the link and leave what it points to with the old content.
 */
export async function findRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
  const folder = await realpath(dirname(path));
  const place = join(folder, basename(path));
  const link = await readLink(place);
  return link === null ? place : findRealPath(resolve(folder, link));
}

async function readLink(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
