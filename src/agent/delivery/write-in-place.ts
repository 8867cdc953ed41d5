import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import { nullWhenMissing, systemCodeOf } from './delivery-outcome.ts';

/**
 * Writes into the file itself: its owner, mode, ACL, attributes, hard links, mounts and watchers stay.
 *
 * Before the first byte, a copy of the old and the new content is beside the file, synced, or in the data folder where nothing can be written
 * beside it. After a power loss in the middle, `finishInPlace` completes the file from it. A program that reads at this moment may see a part
 * of it.
 */
export async function writeInPlace(
  place: string,
  old: Buffer,
  content: Buffer,
  dataDir: string,
): Promise<void> {
  const copy = await storeCopy(place, copyOf(old, content), dataDir);
  const file = await open(place, 'r+');
  try {
    await overwrite(file, content);
  } finally {
    await file.close();
  }
  await rm(copy, { force: true });
}

/**
 * Completes a file that was being written when the machine stopped. Nothing is done where another program has changed the file since.
 */
export async function finishInPlace(place: string, dataDir: string): Promise<void> {
  for (const path of [copyPathOf(place), copyPathIn(dataDir, place)]) await finishFrom(path, place);
}

async function finishFrom(path: string, place: string): Promise<void> {
  const copy = await nullWhenMissing(readFile(path));
  if (copy === null) return;
  const parts = partsOf(copy);
  const now = await nullWhenMissing(readFile(place));
  if (parts !== null && now !== null && isHalfWritten(now, parts)) {
    const file = await open(place, 'r+');
    try {
      await overwrite(file, parts.content);
    } finally {
      await file.close();
    }
  }
  await rm(path, { force: true });
}

/** What the system says of a folder that a file may be in and no new one, such as one of a container with a single mounted file. */
const noNewFile: ReadonlySet<string | null> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** Writes the copy, durably: its name, too, because a copy that nobody finds completes nothing. Returns where it is. */
async function storeCopy(place: string, copy: Buffer, dataDir: string): Promise<string> {
  const beside = copyPathOf(place);
  try {
    await writeSynced(beside, copy);
    await syncFolder(dirname(beside));
    return beside;
  } catch (error) {
    if (!noNewFile.has(systemCodeOf(error))) throw error;
    const elsewhere = copyPathIn(dataDir, place);
    try {
      await mkdir(dirname(elsewhere), { recursive: true, mode: 0o700 });
      await writeSynced(elsewhere, copy);
      await syncFolder(dirname(elsewhere));
    } catch {
      throw error; // the folder of the file is what a person can change
    }
    return elsewhere;
  }
}

async function overwrite(file: FileHandle, content: Buffer): Promise<void> {
  let written = 0;
  while (written < content.length) {
    const { bytesWritten } = await file.write(content, written, content.length - written, written);
    written += bytesWritten;
  }
  await file.truncate(content.length);
  await file.sync();
}

/** The name of the copy: never one of the drafts, which are removed. */
export function copyPathOf(place: string): string {
  const digest = createHash('sha256').update(basename(place)).digest('hex');
  return join(dirname(place), `.rotavox-copy-${digest.slice(0, 12)}`);
}

/** The same in the data folder, of the whole path. */
export function copyPathIn(dataDir: string, place: string): string {
  return join(dataDir, 'copies', createHash('sha256').update(place).digest('hex').slice(0, 24));
}

async function writeSynced(path: string, content: Buffer): Promise<void> {
  // Private, and never through a link that somebody has put there.
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

const mark = Buffer.from('rotavox-copy/1\n');

interface Parts {
  readonly old: Buffer;
  readonly content: Buffer;
}

/** The mark, the length of the old content, a digest of both, the old content and the new one. */
function copyOf(old: Buffer, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(old.length);
  return Buffer.concat([mark, length, digestOf(old, content), old, content]);
}

/** Null where the copy itself was not written completely: then the file was not touched. */
function partsOf(copy: Buffer): Parts | null {
  const digestAt = mark.length + 4;
  const at = digestAt + digestLength;
  if (copy.length < at || !copy.subarray(0, mark.length).equals(mark)) return null;
  const oldLength = copy.readUInt32BE(mark.length);
  const old = copy.subarray(at, at + oldLength);
  const content = copy.subarray(at + oldLength);
  return digestOf(old, content).equals(copy.subarray(digestAt, at)) ? { old, content } : null;
}

const digestLength = 32;

function digestOf(old: Buffer, content: Buffer): Buffer {
  return createHash('sha256').update(String(old.length)).update(old).update(content).digest();
}

/** Whether every byte of a file is of the old content, of the new one, or was never written. */
function isHalfWritten(now: Buffer, { old, content }: Parts): boolean {
  if (now.length > Math.max(old.length, content.length)) return false;
  return now.every((byte, at) => byte === content[at] || byte === old[at] || byte === 0);
}
