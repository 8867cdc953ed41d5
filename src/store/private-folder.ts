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
import type { FolderFault } from '../contract/store-problem.ts';
import { privateFolder } from './durable-file.ts';
import { StoreError, systemCodeOf } from './store-error.ts';

/** What we put into a data folder, and what we call it while it is being made (`state.json.….new`, `lock.….new`). */
const ourNames =
  /^(?:journal|recordings|window-profile|(?:state|replay-keys|runtime|vault)\.json(?:\..+)?|lock(?:\..+)?)$/;
/** Of these a crash can leave temporary files; older programs left them without digits. The vault sees to its own. */
const leftover = /^(?:state|replay-keys|runtime)\.json\.(?:[0-9a-f]{16}\.)?new$/;

/** Whether the system has owners and modes of files that can be looked at. */
const me = process.geteuid?.();
const root = 0;
const groupMayWrite = 0o020;
const othersMayWrite = 0o002;
const sticky = 0o1000;

/**
 * Makes a data folder, and those above it; it is its owner's alone.
 *
 * One that is there and has things of others in it keeps its mode, for they may be meant to be read; what we put into
 * it is private by itself. But nobody else may write in it, nor in a folder by which it could be replaced: they could put
 * links and files of their own where we read and write. Throws `StoreError` `FOLDER_UNUSABLE`; then nothing was
 * changed.
 */
export function makePrivateFolder(folder: string): void {
  // Windows has access lists instead, and a person's folders are closed to others from the start.
  if (me !== undefined) assertIrreplaceable(folder);
  makeFolders(folder);
  assertMine(folder);
  const isShared = !readdirSync(folder).every((name) => ourNames.test(name));
  if (!isShared) chmodSync(folder, privateFolder);
  if (me === undefined) return;
  assertOwnerWritesAlone(folder, folder);
  // Into one that is not shared nobody else gets, whatever modes there are.
  if (isShared)
    for (const name of ['journal', 'recordings']) assertOwnerWritesAlone(join(folder, name), folder);
}

/** Removes temporary files of a process that died. For the only owner of a folder: another one may be writing them. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (leftover.test(name)) removeOwnFile(join(folder, name));
  }
}

/** Removes a file unless it is something else, or somebody else's, that has its name. */
export function removeOwnFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true && isMine(found)) rmSync(path, { force: true });
}

/** Not `recursive`, by which Node tries for ever where a system takes no folders, as below /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: privateFolder });
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error; // another process starts with the same folder
  }
}

/** The folders above it, by its name and by where links lead: who may write in one of them can put another in its place. */
function assertIrreplaceable(folder: string): void {
  const place = resolve(folder);
  for (const parent of new Set([...foldersAbove(place), ...foldersAbove(realPathOf(place))])) {
    const found = statSync(parent, { throwIfNoEntry: false });
    if (found === undefined || !canBeReplacedIn(found)) continue;
    throw unsafe(folder, { kind: 'replaceable', parent });
  }
}

/**
 * In a sticky folder, such as /tmp, everybody may add a name and only its owner may change it.
 *
 * A group that root lets write is trusted as root is, and a group of one's own, as many systems make for each account, has
 * nobody else in it. Whose the folder is does not count: in a container the folders above may seem to be nobody's.
 */
function canBeReplacedIn({ mode, uid, gid }: Stats): boolean {
  if ((mode & sticky) !== 0) return false;
  if ((mode & othersMayWrite) !== 0) return true;
  return (mode & groupMayWrite) !== 0 && uid !== root && gid !== uid;
}

/** Root may use what is anybody's. */
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

/** Where links lead, as far as there is anything. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}
