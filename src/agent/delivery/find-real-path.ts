import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nullWhenMissing } from './file-trouble.ts';

/**
 * Where a path leads through all symbolic links, also when the file at the end does not exist yet.
 *
 * A rename onto a link would replace the link and leave what it points to with the old content.
 */
export async function findRealPath(path: string): Promise<string> {
  const found = await nullWhenMissing(realpath(path));
  if (found !== null) return found;
  const folder = await realpath(dirname(path));
  const place = join(folder, basename(path));
  const link = await nullWhenMissing(readlink(place));
  return link === null ? place : findRealPath(resolve(folder, link));
}
