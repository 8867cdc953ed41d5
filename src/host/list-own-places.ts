import { basename, dirname, join } from 'node:path';
import type { OwnPlaces } from '../agent/delivery/own-places.ts';
import { type DataDirEnvironment, usualDataDirOf } from '../contract/service/data-dir.ts';

/** In every build, the code is two folders below the program's root. */
const program = join(import.meta.dirname, '..', '..');
/** The files of a checkout that are needed to run. Other files may be the developer's own, such as a `.env`. */
const programParts = ['package.json', 'node_modules', 'out', 'resources', 'src'];

/** Every place with files of Rotavox: its data, the program, the profile of its windows, the vault's passphrase. */
export function ownPlacesOf(
  dataDir: string,
  passphraseFile: string | undefined,
  referenceData: DataDirEnvironment,
): OwnPlaces {
  return {
    dataDir,
    others: [
      // These may be links to another disk.
      ...['journal', 'recordings'].map((name) => join(dataDir, name)),
      ...(basename(program) === 'app.asar'
        ? [dirname(dirname(program))]
        : programParts.map((part) => join(program, part))),
      // Electron's profile of the desktop app, whichever data folder this process has.
      dirname(usualDataDirOf(referenceData)),
      ...(passphraseFile === undefined ? [] : [passphraseFile]),
    ],
  };
}
