import { mkdirSync, readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AudioFile, ByteSpan, RecordingFiles } from '../core/recording/recording-files.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import type { State } from '../core/state.ts';
import { privateFolder, replaceFile, syncFolder } from './durable-file.ts';
import { removeOwnFile } from './private-folder.ts';
import { systemCodeOf, unavailable, unusable } from './store-error.ts';

/**
 * Audio in `<data>/recordings`, one file for each content: `<SHA-256>.<format>`.
 *
 * No part of a path comes from a request.
 */
export class AudioFolder implements RecordingFiles {
  readonly #folder: string;
  readonly #assertHeld: () => void;
  #copies = 0;
  /** What is to be deleted when nothing is copied any more. */
  readonly #forgotten = new Map<string, AudioFile>();

  constructor(folder: string, assertHeld: () => void) {
    this.#folder = folder;
    this.#assertHeld = assertHeld;
  }

  /** Has every file stay while the folder is copied: one that is forgotten meanwhile is deleted after it, or by the next start. */
  async whileCopied<T>(copy: () => Promise<T>): Promise<T> {
    this.#copies += 1;
    try {
      return await copy();
    } finally {
      this.#copies -= 1;
      if (this.#copies === 0) await this.#forgetLate();
    }
  }

  async #forgetLate(): Promise<void> {
    const files = [...this.#forgotten.values()];
    this.#forgotten.clear();
    try {
      for (const file of files) await this.forget(file);
    } catch (error) {
      // The next start deletes them.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  async keep(file: AudioFile, bytes: Uint8Array): Promise<void> {
    this.#forgotten.delete(nameOf(file));
    await this.#change(async () => {
      // Written even if it exists: this repairs a file that was damaged.
      await replaceFile(this.#pathOf(file), async (handle) => {
        await handle.writeFile(bytes);
      });
    });
  }

  async forget(file: AudioFile): Promise<void> {
    if (this.#copies > 0) {
      this.#forgotten.set(nameOf(file), file);
      return;
    }
    await this.#change(async () => {
      await rm(this.#pathOf(file), { force: true });
      syncFolder(this.#folder);
    });
  }

  async read(file: AudioFile, { start, end }: ByteSpan): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      // Opened here, so that a missing file is an answer and not a broken response.
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
 * A file is written before its event and deleted after it, so a crash can leave a file without a recording: those are removed
 * here, and so are incomplete files. `assertHeld` throws `StoreUnavailable` once this process no longer holds the folder.
 */
export function openRecordingFiles(
  dataFolder: string,
  { recordings }: State,
  assertHeld: () => void = () => undefined,
): AudioFolder {
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

/** Other files in the folder are not ours to delete. */
const ourName = /^[0-9a-f]{64}\.(?:wav|mp3|ogg)(?:\.(?:[0-9a-f]{16}\.)?new)?$/;

function nameOf({ digest, format }: AudioFile): string {
  return `${digest}.${format}`;
}
