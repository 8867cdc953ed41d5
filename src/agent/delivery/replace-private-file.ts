import type { BigIntStats } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asFileTrouble, FileTrouble } from './file-trouble.ts';
import { inTurn } from '../in-turn.ts';
import type { OwnPlaces } from './own-places.ts';
import { type ContentChange, findPlace, look, planReplacement } from './plan-replacement.ts';
import { removeDeadDrafts, syncFolderIfPossible, writeDraft } from './private-draft.ts';

const maxAttempts = 3;

/**
 * Replaces the content of a file by what `change` makes of the old one (null: there is no file).
 *
 * A crash at any instant leaves the old content or the new, whole. A new file is for its owner only; an existing one
 * keeps mode and owner. The content is read back. Nothing is written when nothing would change, and a change that
 * another program makes meanwhile is not overwritten: `change` is asked again. A hard link elsewhere keeps the old
 * content, and an ACL is not kept. Our own files are left alone, also when a link leads to them only by the time of the
 * rename. Throws `FileTrouble`, and what `change` throws.
 */
export async function replacePrivateFile(
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<void> {
  try {
    const place = await findPlace(path, ownPlaces);
    await inTurn(place, async () => {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        if (await tryToReplace(place, path, change, ownPlaces)) return;
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
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<boolean> {
  const { before, old, content } = await planReplacement(place, path, change, ownPlaces);
  if (old?.equals(content) === true) return true;

  await removeDeadDrafts(place);
  const draft = await writeDraft(place, content, before);
  try {
    if (!isSame(before, await look(place, path, ownPlaces))) {
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

function isSame(before: BigIntStats | null, now: BigIntStats | null): boolean {
  if (before === null || now === null) return before === now;
  return (['ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((part) => before[part] === now[part]);
}
