/**
 * A folder of this run on the disk of the checkout, removed when the process ends.
 *
 * It is not under the system's temporary folder: that is memory on many machines, where fdatasync costs nothing and
 * every durable contender would look as fast as one without storage.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const parent = join(import.meta.dirname, '../../node_modules/.cache/rotavox-bench');
const folders = new Set<string>();

/** `inside`: another place, for what has to be on the same disk as something else. */
export function createScratchFolder(name: string, inside = parent): string {
  mkdirSync(inside, { recursive: true });
  const folder = mkdtempSync(join(inside, `${name}-`));
  folders.add(folder);
  return folder;
}

export function removeScratchFolder(folder: string): void {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** Synchronous, because it also runs in the `exit` handler of the process. */
export function removeAllScratchFolders(): void {
  for (const folder of [...folders]) removeScratchFolder(folder);
}
