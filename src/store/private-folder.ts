import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { FolderFault } from '../contract/service/store-problem.ts';
import { closeFolder, type FolderClosing } from '../system/close-folder.ts';
import { privateFolder } from './durable-file.ts';
import { StoreError, systemCodeOf } from './store-error.ts';

/** The names of our files in a data folder, and their temporary names (`state.json.….new`, `lock.….new`). */
const ourNames =
  /^(?:journal|recordings|providers|logs|window-profile|restoring|before-restore-.+|(?:state|replay-keys|browsers|runtime|machine|vault|vault-choice|hosts|restore)\.json(?:\..+)?|vault\.key(?:\..+)?|calls\.sqlite.*|lock(?:\..+)?)$/;
/** A crash can leave temporary files of these; older programs named them without digits. The vault removes its own. */
const leftover =
  /^(?:(?:state|replay-keys|browsers|runtime|machine|vault-choice|restore)\.json|calls\.sqlite)\.(?:[0-9a-f]{16}\.)?new$/;

/** Whether the system has owners and modes of files. */
const me = process.geteuid?.();
const root = 0;
const groupMayWrite = 0o020;
const othersMayWrite = 0o002;
const sticky = 0o1000;

/**
 * Creates a data folder, and those above it, for its owner only.
 *
 * A folder that already has other files keeps its mode, because they may be meant to be read; our files are
 * private anyway. But no other user may write in it, nor in a folder from which it could be replaced: they could put
 * links and files where we read and write. Throws `StoreError` `FOLDER_UNUSABLE`; then nothing was
 * changed.
 */
export function makePrivateFolder(folder: string): void {
  // Windows has access lists instead, and personal folders are closed to others by default.
  if (me !== undefined) assertIrreplaceable(folder);
  makeFolders(folder);
  assertMine(folder);
  const isShared = hasOtherFiles(folder);
  if (!isShared) chmodSync(folder, privateFolder);
  if (me === undefined) return;
  assertOwnerWritesAlone(folder, folder);
  // A folder that is not shared is closed to others, whatever modes its files have.
  if (isShared)
    for (const name of ['journal', 'recordings']) assertOwnerWritesAlone(join(folder, name), folder);
}

/**
 * On Windows: keeps a data folder that is not in the personal folders to its account, which its mode does elsewhere.
 *
 * Not one that has other files, as above. It costs two short programs, so it is done once a start.
 */
export function closeDataFolder(folder: string, close = closeFolder): FolderClosing {
  return hasOtherFiles(folder) ? { kind: 'not_needed' } : close(folder);
}

function hasOtherFiles(folder: string): boolean {
  return !readdirSync(folder).every((name) => ourNames.test(name));
}

/** Removes temporary files of a process that died. Only for the owner of the folder: another process may be writing them. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (leftover.test(name)) removeOwnFile(join(folder, name));
  }
}

/** Removes a file, but nothing else of that name, and no file of another user. */
export function removeOwnFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true && isMine(found)) rmSync(path, { force: true });
}

/** Not `recursive`, with which Node retries for ever where a system accepts no folders, as below /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: privateFolder });
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error; // another process created the folder first
  }
}

/** Checks the folders above, by name and behind links: a user who may write in one of them can replace the folder. */
function assertIrreplaceable(folder: string): void {
  const place = resolve(folder);
  for (const parent of new Set([...foldersAbove(place), ...foldersAbove(realPathOf(place))])) {
    const found = statSync(parent, { throwIfNoEntry: false });
    if (found === undefined || !canBeReplacedIn(found)) continue;
    throw unsafe(folder, { kind: 'replaceable', parent });
  }
}

/**
 * In a sticky folder, such as /tmp, everyone may add a name and only its owner may change it.
 *
 * Group write access of root is trusted like root, and so is a private group with the same id as its user, which many
 * systems create. The owner of the folder does not count: in a container the owners of the folders above may be unknown.
 */
function canBeReplacedIn({ mode, uid, gid }: Stats): boolean {
  if ((mode & sticky) !== 0) return false;
  if ((mode & othersMayWrite) !== 0) return true;
  return (mode & groupMayWrite) !== 0 && uid !== root && gid !== uid;
}

/** Root may use files of every user. */
function isMine({ uid }: Stats): boolean {
  return me === undefined || me === root || uid === me;
}

function assertMine(folder: string): void {
  const found = statSync(folder);
  if (isMine(found)) return;
  throw unsafe(folder, { kind: 'foreign', uid: found.uid });
}

function assertOwnerWritesAlone(path: string, folder: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & (groupMayWrite | othersMayWrite)) === 0) return;
  throw unsafe(folder, { kind: 'writable', path });
}

function unsafe(folder: string, fault: FolderFault): StoreError {
  return new StoreError({ code: 'FOLDER_UNUSABLE', folder, fault });
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

/** The real path, as far as the path exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}
