import { basename, dirname, join } from 'node:path';
import type { OwnPlaces } from '../agent/delivery/own-places.ts';
import { type DataDirEnvironment, usualDataDirOf } from '../contract/data-dir.ts';
import type { HostVault } from './open-vault-choice.ts';

/** Whatever it was built into, the code is two folders below the program's own. */
const program = join(import.meta.dirname, '..', '..');
/** What a checkout runs from. Its other files may be somebody's, such as a `.env`. */
const programParts = ['package.json', 'node_modules', 'out', 'resources', 'src'];

/** Every place with files of Rotavox itself: its data, the program, the profile of its windows, the vault's passphrase. */
export function ownPlacesOf(
  dataDir: string,
  vault: HostVault | undefined,
  referenceData: DataDirEnvironment,
): OwnPlaces {
  const passphraseFile = vault?.kind === 'file' ? vault.passphraseFile : undefined;
  return {
    dataDir,
    others: [
      // These may be links to another disk.
      ...['journal', 'recordings'].map((name) => join(dataDir, name)),
      ...(basename(program) === 'app.asar'
        ? [dirname(dirname(program))]
        : programParts.map((part) => join(program, part))),
      // Where Electron keeps the profile of the desktop app, whichever data folder this process has.
      dirname(usualDataDirOf(referenceData)),
      ...(passphraseFile === undefined ? [] : [passphraseFile]),
    ],
  };
}
