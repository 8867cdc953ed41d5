import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileTrouble, nullWhenMissing, systemCodeOf } from './delivery-outcome.ts';

/**
 * Rotavox's own files, which no delivery may replace.
 *
 * `ownPlacesOf` in `host/host-process.ts` lists them. Other files that the program stores must be below one of these, or be
 * added to the list.
 */
export interface OwnPlaces {
  /** The data folder. A hard link to a file in it is refused too, wherever the link is. */
  readonly dataDir: string;
  /** Other files, and folders with everything below them. Entries that do not exist are ignored. */
  readonly others: readonly string[];
}

/**
 * Throws `FileTrouble` if a place is one of our own files or below one of our folders.
 *
 * Folders are compared by device and inode, not by name: a mount, a link or another spelling leads to the same folder. The
 * place and the folders above it need not exist.
 */
export async function assertNotOwn(
  place: string,
  path: string,
  { dataDir, others }: OwnPlaces,
): Promise<void> {
  const own = new Map<string | null, string>();
  for (const one of [dataDir, ...others]) own.set(await identityAt(one), one);
  own.delete(null);
  for (let at = place; ; at = dirname(at)) {
    const found = own.get(await identityAt(at));
    if (found !== undefined) throw ownFile(path, found);
    if (at === dirname(at)) return;
  }
}

/** Throws `FileTrouble` if a file is one of the data folder under another name. */
export async function assertNoLinkToOwn(
  file: BigIntStats,
  path: string,
  { dataDir }: OwnPlaces,
): Promise<void> {
  if (file.nlink < 2n) return;
  const found = await nullWhenMissing(readdir(dataDir, { recursive: true, withFileTypes: true }));
  for (const entry of found ?? []) {
    if (!entry.isFile()) continue;
    const own = join(entry.parentPath, entry.name);
    if ((await identityAt(own)) === identityOf(file)) throw ownFile(path, own);
  }
}

function ownFile(path: string, own: string): FileTrouble {
  return new FileTrouble({ code: 'own_file', path, own });
}

async function identityAt(path: string): Promise<string | null> {
  try {
    return identityOf(await stat(path, { bigint: true }));
  } catch (error) {
    if (systemCodeOf(error) === null) throw error;
    return null;
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}
