import { createHash, randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { chmod, chown, type FileHandle, lstat, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runExclusive } from '../run-exclusive.ts';
import { syncFolder } from '../sync-folder.ts';
import type { DeliveryTargetOf } from '../../contract/credential/credential.ts';
import type { InPlaceReason } from '../../contract/credential/delivery-finding.ts';
import { asFileTrouble, FileTrouble, nullWhenMissing, systemCodeOf } from './delivery-outcome.ts';
import { isMounted } from './find-mounts.ts';
import type { OwnPlaces } from './own-places.ts';
import { type ContentChange, findPlace, planReplacement, statPlace } from './plan-replacement.ts';
import { finishInPlace, writeInPlace } from './write-in-place.ts';
import { execFile } from 'node:child_process';
import { replacePathWhile } from '../../system/replace-path.ts';

const maxAttempts = 3;

/**
 * Replaces the content of a file with the result of `change` for the old content (null: there is no file).
 *
 * A crash at any instant leaves the old content or the new, complete. A new file is for its owner only; an existing one
 * keeps mode, owner, ACL and attributes. The content is read back. Nothing is written if nothing would change, and a change that
 * another program makes meanwhile is not overwritten: `change` is called again. Where a new file would not be seen, or could not keep
 * what the old one has, it is written in place (`inPlaceReason`). Our own files are never replaced, not even through a link that appears just before the
 * rename. Throws `FileTrouble`, and errors of `change`.
 */
export async function replacePrivateFile(
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
  options: FileOptions = {},
): Promise<void> {
  try {
    const place = await findPlace(path, ownPlaces);
    await runExclusive(place, async () => {
      await finishInPlace(place, ownPlaces.dataDir);
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        if (await tryToReplace(place, path, change, ownPlaces, options)) return;
      }
      throw new FileTrouble({ code: 'changed_meanwhile', path });
    });
  } catch (error) {
    throw asFileTrouble(error, path);
  }
}

/** False when another program has changed the file meanwhile. */
async function tryToReplace(
  place: string,
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
  options: FileOptions,
): Promise<boolean> {
  const { before, old, content } = await planReplacement(place, path, change, ownPlaces);
  if (old?.equals(content) === true) return true;

  await removeAbandonedDrafts(place);
  if (before !== null && old !== null && (await inPlaceReason(place, before, options)) !== null) {
    return changeInPlace(place, path, { before, old, content }, ownPlaces);
  }
  const draft = await writeDraft(place, content, before);
  try {
    if (before === null) await takeOptions(draft, path, options);
    else if (process.platform === 'linux' && !(await copyAttributes(place, draft)) && old !== null) {
      await rm(draft, { force: true });
      return await changeInPlace(place, path, { before, old, content }, ownPlaces);
    }
    const isUnchanged = async () => isSame(before, await statPlace(place, path, ownPlaces));
    if (!(await replacePathWhile(isUnchanged, draft, place))) {
      await rm(draft, { force: true });
      return false;
    }
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolderIfPossible(dirname(place));
  if (!(await readFile(place)).equals(content)) {
    throw new FileTrouble({ code: 'file_read_back', path });
  }
  return true;
}

/** False when another program has changed the file meanwhile. */
async function changeInPlace(
  place: string,
  path: string,
  { before, old, content }: { readonly before: BigIntStats; readonly old: Buffer; readonly content: Buffer },
  ownPlaces: OwnPlaces,
): Promise<boolean> {
  if (!isSame(before, await statPlace(place, path, ownPlaces))) return false;
  await writeInPlace(place, old, content, ownPlaces.dataDir);
  if (!(await readFile(place)).equals(content)) throw new FileTrouble({ code: 'file_read_back', path });
  return true;
}

/** How a target's file is written; `DeliveryTarget` says what each means. */
export type FileOptions = Pick<DeliveryTargetOf<'file'>, 'in_place' | 'mode' | 'owner' | 'group'>;

/** Why a file that exists is written in place; null: it is replaced by a new one. */
export async function inPlaceReason(
  place: string,
  { nlink }: Pick<BigIntStats, 'nlink'>,
  { in_place: isAsked }: FileOptions,
): Promise<InPlaceReason | null> {
  if (isAsked === true) return 'asked';
  if (nlink > 1n) return 'link';
  if (await isMounted(place)) return 'mount';
  return (await wouldLoseAttributes(place)) ? 'attributes' : null;
}

/** Gives a new file the mode and the owner that the target says. */
async function takeOptions(draft: string, path: string, { mode, owner, group }: FileOptions): Promise<void> {
  if (owner !== undefined || group !== undefined) {
    const uid = owner === undefined ? -1 : await accountNumber('/etc/passwd', owner, path);
    const gid = group === undefined ? -1 : await accountNumber('/etc/group', group, path);
    try {
      await chown(draft, uid, gid);
    } catch (error) {
      if (systemCodeOf(error) !== 'EPERM') throw error;
      const wanted = [owner, group].filter((one) => one !== undefined).join(':');
      throw new FileTrouble({ code: 'owner_not_allowed', path, wanted }, { cause: error });
    }
  }
  if (mode !== undefined) await chmod(draft, Number.parseInt(mode, 8));
}

/** The number of a user or a group. */
async function accountNumber(file: string, name: string, path: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  const lines = ((await nullWhenMissing(readFile(file, 'utf8'))) ?? '').split('\n');
  const number = lines.find((line) => line.startsWith(`${name}:`))?.split(':')[2];
  if (number === undefined) throw new FileTrouble({ code: 'no_such_account', path, wanted: name });
  return Number(number);
}

function isSame(before: BigIntStats | null, now: BigIntStats | null): boolean {
  if (before === null || now === null) return before === now;
  return (['ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((part) => before[part] === now[part]);
}

const ownerOnly = 0o600;
/** The bit of a folder's mode by which its new files inherit its group; systems other than Linux always do so. */
const setGroupId = 0o2000;
/** Far longer than a draft exists before its rename. */
const abandonedAfterMs = 60_000;

/**
 * Writes the new content into a new file beside the old one, synced; returns its path.
 *
 * It is private until it has the owner and the mode of the file that it replaces. It is removed if writing
 * fails.
 */
export async function writeDraft(
  place: string,
  content: Buffer,
  replaced: BigIntStats | null,
): Promise<string> {
  const draft = join(dirname(place), `${draftPrefix(place)}${randomBytes(8).toString('hex')}`);
  const file = await open(draft, 'wx', ownerOnly);
  try {
    await file.writeFile(content);
    if (replaced !== null) await takeOwner(file, replaced, place);
    await file.chmod(replaced === null ? ownerOnly : Number(replaced.mode) & 0o777);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(draft, { force: true });
    throw error;
  }
  await file.close();
  return draft;
}

/** With another owner, the file would be closed to the program that reads it, or open to a group that could not read it. */
async function takeOwner(file: FileHandle, { uid, gid }: BigIntStats, place: string): Promise<void> {
  const mine = await file.stat({ bigint: true });
  if (mine.uid === uid && mine.gid === gid) return;
  try {
    await file.chown(Number(uid), Number(gid));
  } catch (error) {
    if (systemCodeOf(error) !== 'EPERM') throw error;
    throw foreignOwner(place, { uid, gid }, { cause: error });
  }
}

/**
 * Throws the error of `writeDraft` for giving a new file the owner of the replaced file.
 *
 * Without root, the owner cannot change, and the group only to one of ours, unless the folder passes its group on.
 */
export async function assertOwnerCanStay(place: string, replaced: BigIntStats): Promise<void> {
  const me = process.geteuid?.();
  if (me === undefined || me === 0) return;
  const { uid, gid } = replaced;
  const folder = await stat(dirname(place));
  const handsGroupOn = process.platform !== 'linux' || (folder.mode & setGroupId) !== 0;
  const groups = [
    process.getegid?.(),
    ...(process.getgroups?.() ?? []),
    handsGroupOn ? folder.gid : undefined,
  ];
  if (Number(uid) !== me || !groups.includes(Number(gid))) throw foreignOwner(place, { uid, gid });
}

function foreignOwner(
  place: string,
  { uid, gid }: Pick<BigIntStats, 'uid' | 'gid'>,
  options?: { cause: unknown },
): FileTrouble {
  return new FileTrouble({ code: 'owner_differs', place, uid: String(uid), gid: String(gid) }, options);
}

/** Removes drafts for the same file that a crash left: each contains a token. */
async function removeAbandonedDrafts(place: string): Promise<void> {
  const folder = dirname(place);
  const prefix = draftPrefix(place);
  try {
    for (const name of await readdir(folder)) {
      if (!name.startsWith(prefix)) continue;
      const path = join(folder, name);
      const found = await lstat(path);
      if (found.isFile() && Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
    }
  } catch (error) {
    // A folder that cannot be listed can still receive a file, and a draft may disappear before it is read.
    if (systemCodeOf(error) === null) throw error;
  }
}

/** Short for every file name, so that the longest allowed name still works. */
function draftPrefix(place: string): string {
  const digest = createHash('sha256').update(basename(place)).digest('hex');
  return `.rotavox-${digest.slice(0, 12)}-`;
}

/** File systems without this call, and folders that are writable but not readable, make a rename as durable as they can. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES', 'EPERM']);

/** Makes a rename in a folder as durable as the file system allows. */
async function syncFolderIfPossible(folder: string): Promise<void> {
  try {
    await syncFolder(folder);
  } catch (error) {
    if (!cannotSync.has(systemCodeOf(error) ?? '')) throw error;
  }
}

/** https://www.gnu.org/software/coreutils/cp: nothing in Node reads access control lists and extended attributes. */
const copyOptions = ['--attributes-only', '--preserve=mode,xattr', '--no-dereference'];
const limitMs = 10_000;

let hasGnuCp: Promise<boolean> | null = null;

/** Whether a new file might lose the access control list or the attributes of the one that it replaces. */
async function wouldLoseAttributes(place: string): Promise<boolean> {
  if (process.platform === 'linux') {
    hasGnuCp ??= run('cp', ['--version']).then((printed) => printed?.includes('GNU coreutils') === true);
    return !(await hasGnuCp);
  }
  if (process.platform !== 'darwin') return false;
  // `-rw-r--r--@` has attributes, `-rw-r--r--+` an access control list.
  const line = await run('/bin/ls', ['-ld', '--', place]);
  return line === null || /^.{10}[@+]/.test(line);
}

/** Gives a new file the mode, the access control list and the attributes of another; false where that failed. */
async function copyAttributes(from: string, to: string): Promise<boolean> {
  return (await run('cp', [...copyOptions, '--', from, to])) !== null;
}

/** What a program prints; null where it fails or is not there. */
function run(program: string, args: readonly string[]): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: limitMs }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    );
  });
}
