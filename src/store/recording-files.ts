import { mkdirSync, readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AudioFile, ByteSpan, RecordingFiles } from '../core/recording/recording-files.ts';
import type { State } from '../core/state.ts';
import { privateFolder, replaceFile, syncFolder } from './durable-file.ts';
import { removeOwnFile } from './private-folder.ts';
import { systemCodeOf, unavailable, unusable } from './store-error.ts';

/**
 * Audio in `<data>/recordings`, a file for each that is named after its content: `<SHA-256>.<format>`.
 *
 * Nothing that somebody sent is ever part of a path.
 */
class AudioFolder implements RecordingFiles {
  readonly #folder: string;
  readonly #assertHeld: () => void;

  constructor(folder: string, assertHeld: () => void) {
    this.#folder = folder;
    this.#assertHeld = assertHeld;
  }

  async keep(file: AudioFile, bytes: Uint8Array): Promise<void> {
    await this.#change(async () => {
      // Written again even if it is there: a file that was damaged since is whole after this.
      await replaceFile(this.#pathOf(file), async (handle) => {
        await handle.writeFile(bytes);
      });
    });
  }

  async forget(file: AudioFile): Promise<void> {
    await this.#change(async () => {
      await rm(this.#pathOf(file), { force: true });
      syncFolder(this.#folder);
    });
  }

  async read(file: AudioFile, { start, end }: ByteSpan): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      // Opened here, so that what is missing is an answer and not a broken one.
      const handle = await open(this.#pathOf(file), 'r');
      return handle.createReadStream({ start, end });
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  #pathOf({ digest, format }: AudioFile): string {
    return join(this.#folder, nameOf({ digest, format }));
  }

  async #change(act: () => Promise<void>): Promise<void> {
    try {
      this.#assertHeld();
      await act();
    } catch (cause) {
      throw unavailable(cause, this.#folder);
    }
  }
}

/**
 * Opens the audio of a data folder.
 *
 * A file comes before its event and goes after it, so a crash can leave one that no recording has: those are taken away here,
 * and so is what was half written. `assertHeld` throws `StoreUnavailable` while the data folder is not ours any more.
 */
export function openRecordingFiles(
  dataFolder: string,
  { recordings }: State,
  assertHeld: () => void = () => undefined,
): RecordingFiles {
  const folder = join(dataFolder, 'recordings');
  const kept = new Set([...recordings.values()].map(nameOf));
  try {
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    const orphans = readdirSync(folder).filter((name) => ourName.test(name) && !kept.has(name));
    for (const name of orphans) removeOwnFile(join(folder, name));
    if (orphans.length > 0) syncFolder(folder);
  } catch (cause) {
    throw unusable(dataFolder, cause);
  }
  return new AudioFolder(folder, assertHeld);
}

/** What somebody else has put there is not ours to take away. */
const ourName = /^[0-9a-f]{64}\.(?:wav|mp3|ogg)(?:\.(?:[0-9a-f]{16}\.)?new)?$/;

function nameOf({ digest, format }: AudioFile): string {
  return `${digest}.${format}`;
}
