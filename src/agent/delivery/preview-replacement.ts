import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DeliveryPreview } from '../../contract/credential-checks.ts';
import { asFileTrouble, FileTrouble, systemCodeOf } from './file-trouble.ts';
import type { OwnPlaces } from './own-places.ts';
import { type ContentChange, findPlace, planReplacement, type Replacement } from './plan-replacement.ts';
import { assertOwnerCanStay } from './private-draft.ts';

/** A replacement that could be made now, and where. */
export interface PossibleReplacement extends Replacement {
  /** The real place of the file. */
  readonly place: string;
}

/**
 * What `replacePrivateFile` would do, up to where it writes: the same file, the same content, the same obstacles.
 *
 * Throws `FileTrouble` with the sentence of the real attempt, and what `change` throws. That the disk is full is met only
 * by writing.
 */
export async function previewReplacement(
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<PossibleReplacement> {
  try {
    const place = await findPlace(path, ownPlaces);
    const planned = await planReplacement(place, path, change, ownPlaces);
    // A new file takes the place of the old one, so it is the folder that has to let us.
    await access(dirname(place), constants.W_OK | constants.X_OK);
    if (planned.before !== null) await assertOwnerCanStay(place, planned.before);
    return { ...planned, place };
  } catch (error) {
    throw asFileTrouble(error, path);
  }
}

/** The preview of a file that cannot get its content. */
export async function impossibleFile(path: string, message: string): Promise<DeliveryPreview> {
  return { possible: false, message, place: path, exists: await isThere(path), lines: [] };
}

/** Says of the trouble with a file what a person needs; anything else is thrown on. */
export async function previewTrouble(error: unknown, path: string): Promise<DeliveryPreview> {
  if (error instanceof FileTrouble) return impossibleFile(path, error.message);
  throw error;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === null) throw error;
    return false;
  }
}

/** What a person should know of a file besides its content: where a link leads, and who can read it. */
export function fileRemarks(path: string, { place, before }: PossibleReplacement): string[] {
  const remarks: string[] = [];
  if (place !== resolve(path)) remarks.push(`${path} leads there through a link, which stays.`);
  if (before === null) return remarks;
  const mode = Number(before.mode) & 0o777;
  const shown = mode.toString(8).padStart(3, '0');
  remarks.push(`Its owner and its mode (${shown}) stay.`);
  const isOpen = process.platform !== 'win32' && (mode & 0o044) !== 0;
  if (isOpen) remarks.push('Others on this machine can read it; `chmod 600` keeps it to its owner.');
  return remarks;
}
