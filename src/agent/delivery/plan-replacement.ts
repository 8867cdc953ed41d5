import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { FileTrouble, systemCodeOf } from './file-trouble.ts';
import { findRealPath } from './find-real-path.ts';

/** More than any file that holds a token: a path that leads to something larger is a mistake. */
const maxBytes = 1024 * 1024;

/** What a file's content becomes, of the old one; null: there is no file. */
export type ContentChange = (content: Buffer | null) => Buffer;

/** A file as it is, and what it is to hold. Null: there is none. */
export interface Replacement {
  readonly before: BigIntStats | null;
  readonly old: Buffer | null;
  readonly content: Buffer;
}

/** Where the file of a target really is, behind all links. Throws `FileTrouble`, and what the system says. */
export async function findPlace(path: string): Promise<string> {
  if (!isAbsolute(path)) {
    // `C:\token` on a system that knows no drives would be a strange name in whatever folder we were started in.
    throw new FileTrouble(`${path} is no absolute path on this system. Change the path of the target.`);
  }
  return findRealPath(path);
}

/**
 * What replacing a file would come to; the same for who writes it and for who only shows it.
 *
 * Throws `FileTrouble` where there is no file that could hold a value, and what `change` throws.
 */
export async function planReplacement(
  place: string,
  path: string,
  change: ContentChange,
): Promise<Replacement> {
  const before = await look(place, path);
  const old = before === null ? null : await nullWhenMissing(readFile(place));
  return { before, old, content: change(old) };
}

/** The file at the place, or null. Refuses what cannot be one that holds a value. */
export async function look(place: string, path: string): Promise<BigIntStats | null> {
  const found = await nullWhenMissing(stat(place, { bigint: true }));
  if (found === null) return null;
  if (found.isDirectory()) {
    throw new FileTrouble(`${path} is a folder. Change the path of the target to a file.`);
  }
  if (!found.isFile()) {
    throw new FileTrouble(
      `${path} is a device, pipe or socket and not a file. Change the path of the target to a file.`,
    );
  }
  if (found.size > maxBytes) {
    throw new FileTrouble(
      `${path} is larger than 1 MB, so it was hardly made to hold a token. Change the path of the target, or move that file away.`,
    );
  }
  return found;
}

async function nullWhenMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
