import type { BigIntStats } from 'node:fs';
import { readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { FileTrouble, nullWhenMissing } from './delivery-outcome.ts';
import { assertNoLinkToOwn, assertNotOwn, type OwnPlaces } from './own-places.ts';

/** More than any file that contains a token: a path to something larger is a mistake. */
const maxBytes = 1024 * 1024;

/** The new content of a file, from its old one; null if there is no file. */
export type ContentChange = (content: Buffer | null) => Buffer;

/** The current and the new content of a file. Null: there is no file. */
export interface Replacement {
  readonly before: BigIntStats | null;
  readonly old: Buffer | null;
  readonly content: Buffer;
}

/** The real place of a target's file, behind all links. Throws `FileTrouble`, and errors of the system. */
export async function findPlace(path: string, ownPlaces: OwnPlaces): Promise<string> {
  if (!isAbsolute(path)) {
    // On a system without drives, `C:\token` would be an odd file name in the working directory.
    throw new FileTrouble({ code: 'not_absolute', path });
  }
  assertIsFileName(path, path);
  // Checked before links are resolved as well: the real place is not known while a folder on the way is missing.
  await assertNotOwn(path, path, ownPlaces);
  const place = await findRealPath(path);
  assertIsFileName(place, path);
  return place;
}

function assertIsFileName(place: string, path: string): void {
  if (isNoFileOf(process.platform, place)) throw new FileTrouble({ code: 'not_ordinary', path });
}

/**
 * Whether a system treats a path as something other than a file of that name.
 *
 * Windows: devices (`\\.\…`, `NUL`, `COM1.txt`), and streams inside a file, after a second colon. Linux: the
 * kernel's files below `/proc` and `/sys`.
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

/** With any ending and with blanks, which Windows ignores. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?$/i;

/**
 * The result of replacing a file, both for the replacement and for its preview.
 *
 * Throws `FileTrouble` if the place cannot be a token file, and errors of `change`.
 */
export async function planReplacement(
  place: string,
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<Replacement> {
  const before = await statPlace(place, path, ownPlaces);
  const old = before === null ? null : await nullWhenMissing(readFile(place));
  return { before, old, content: change(old) };
}

/**
 * The file at the place, or null. Refuses our own files and anything that cannot be a token file.
 *
 * Called again right before a rename: a folder on the way may have become a link since.
 */
export async function statPlace(
  place: string,
  path: string,
  ownPlaces: OwnPlaces,
): Promise<BigIntStats | null> {
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
 * Where a path leads through all symbolic links, even if the file at the end does not exist yet.
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
