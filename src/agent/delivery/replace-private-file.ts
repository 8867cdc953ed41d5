import type { BigIntStats } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { asFileTrouble, FileTrouble, systemCodeOf } from './file-trouble.ts';
import { findRealPath } from './find-real-path.ts';
import { inTurn } from '../in-turn.ts';
import { removeDeadDrafts, syncFolderIfPossible, writeDraft } from './private-draft.ts';

/** More than any file that holds a token: a path that leads to something larger is a mistake. */
const maxBytes = 1024 * 1024;
const maxAttempts = 3;

/**
 * Replaces the content of a file by what `change` makes of the old one (null: there is no file).
 *
 * A crash at any instant leaves the old content or the new, whole. A new file is for its owner only; an existing one
 * keeps mode and owner. The content is read back. Nothing is written when nothing would change, and a change that
 * another program makes meanwhile is not overwritten: `change` is asked again. A hard link elsewhere keeps the old
 * content, and an ACL is not kept. Throws `FileTrouble`, and what `change` throws.
 */
export async function replacePrivateFile(
  path: string,
  change: (content: Buffer | null) => Buffer,
): Promise<void> {
  if (!isAbsolute(path)) {
    // `C:\token` on a system that knows no drives would be a strange name in whatever folder we were started in.
    throw new FileTrouble(`${path} is no absolute path on this system. Change the path of the target.`);
  }
  try {
    const place = await findRealPath(path);
    await inTurn(place, async () => {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        if (await tryToReplace(place, path, change)) return;
      }
      throw new FileTrouble(
        `${path} is changed by another program again and again. Find out which, and stop it.`,
      );
    });
  } catch (error) {
    throw asFileTrouble(error, path);
  }
}

/** False when another program has changed the file meanwhile. */
async function tryToReplace(
  place: string,
  path: string,
  change: (content: Buffer | null) => Buffer,
): Promise<boolean> {
  const before = await look(place, path);
  const old = before === null ? null : await nullWhenMissing(readFile(place));
  const content = change(old);
  if (old?.equals(content) === true) return true;

  await removeDeadDrafts(place);
  const draft = await writeDraft(place, content, before);
  try {
    if (!isSame(before, await look(place, path))) {
      await rm(draft, { force: true });
      return false;
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolderIfPossible(dirname(place));
  if (!(await readFile(place)).equals(content)) {
    throw new FileTrouble(
      `${path} was written, but something else was read back. See whether another program writes it.`,
    );
  }
  return true;
}

/** The file at the place, or null. Refuses what cannot be one that holds a value. */
async function look(place: string, path: string): Promise<BigIntStats | null> {
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

function isSame(before: BigIntStats | null, now: BigIntStats | null): boolean {
  if (before === null || now === null) return before === now;
  return (['ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((part) => before[part] === now[part]);
}
