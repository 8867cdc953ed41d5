import type { BigIntStats } from 'node:fs';
import { readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { FileTrouble, nullWhenMissing } from './file-trouble.ts';
import { assertNoLinkToOwn, assertNotOwn, type OwnPlaces } from './own-places.ts';

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
export async function findPlace(path: string, ownPlaces: OwnPlaces): Promise<string> {
  if (!isAbsolute(path)) {
    // `C:\token` on a system that knows no drives would be a strange name in whatever folder we were started in.
    throw new FileTrouble({ code: 'not_absolute', path });
  }
  assertIsFileName(path, path);
  // Also as it is written: the real place is not known while a folder on the way is missing.
  await assertNotOwn(path, path, ownPlaces);
  const place = await findRealPath(path);
  assertIsFileName(place, path);
  return place;
}

function assertIsFileName(place: string, path: string): void {
  if (isNoFileOf(process.platform, place)) throw new FileTrouble({ code: 'not_ordinary', path });
}

/**
 * Whether a system takes a path for something else than a file of that name.
 *
 * Windows: devices (`\\.\…`, `NUL`, `COM1.txt`), and what follows a second colon, a stream inside another file. Linux: what
 * the kernel shows below `/proc` and `/sys`.
 */
export function isNoFileOf(platform: NodeJS.Platform, path: string): boolean {
  if (platform === 'linux') return /^\/(?:proc|sys)(?:\/|$)/.test(path);
  if (platform !== 'win32') return false;
  const [, inDrive = path] = /^(?:[\\/]{2}\?[\\/])?(?:[A-Za-z]:)?(.*)$/s.exec(path) ?? [];
  return (
    /^[\\/]{2}\.(?:[\\/]|$)/.test(path) ||
    inDrive.includes(':') ||
    inDrive.split(/[\\/]/).some((part) => windowsDevice.test(part))
  );
}

/** With any ending and with blanks: Windows leaves those out. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?$/i;

/**
 * What replacing a file would come to; the same for who writes it and for who only shows it.
 *
 * Throws `FileTrouble` where there is no file that could hold a value, and what `change` throws.
 */
export async function planReplacement(
  place: string,
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<Replacement> {
  const before = await look(place, path, ownPlaces);
  const old = before === null ? null : await nullWhenMissing(readFile(place));
  return { before, old, content: change(old) };
}

/**
 * The file at the place, or null. Refuses what cannot be one that holds a value, and our own files.
 *
 * To be asked again right before a rename: a folder on the way may have become a link since.
 */
export async function look(place: string, path: string, ownPlaces: OwnPlaces): Promise<BigIntStats | null> {
  await assertNotOwn(await findRealPath(place), path, ownPlaces);
  const found = await nullWhenMissing(stat(place, { bigint: true }));
  if (found === null) return null;
  if (found.isDirectory()) throw new FileTrouble({ code: 'is_folder', path });
  if (!found.isFile()) throw new FileTrouble({ code: 'is_device', path });
  await assertNoLinkToOwn(found, path, ownPlaces);
  if (found.size > maxBytes) throw new FileTrouble({ code: 'too_large', path });
  return found;
}

/**
 * Where a path leads through all symbolic links, also when the file at the end does not exist yet.
 *
 * A rename onto a link would replace the link and leave what it points to with the old content.
 */
async function findRealPath(path: string): Promise<string> {
  const found = await nullWhenMissing(realpath(path));
  if (found !== null) return found;
  const folder = await realpath(dirname(path));
  const place = join(folder, basename(path));
  const link = await nullWhenMissing(readlink(place));
  return link === null ? place : findRealPath(resolve(folder, link));
}
