import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Recording, RecordingId } from '../../contract/recording.ts';
import { type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import {
  addRecording,
  type Audio,
  findRecording,
  type RecordingOutcome,
  type RecordingRefusal,
  removeRecording,
  replaceRecording,
} from '../../core/recording/change-recording.ts';
import { readAudio } from '../../core/recording/read-audio.ts';
import type { AudioFile, RecordingFiles } from '../../core/recording/recording-files.ts';
import { refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';

type Outcome = Promise<Result<Recording, RecordingRefusal>>;

/**
 * Recordings and their audio, which change together.
 *
 * File first, then the record; the record away first, then the file: a crash leaves an orphan file, never a recording without
 * its sound. One change at a time: the same audio is one file, and one recording may come to it while another leaves it.
 */
export class RecordingDesk {
  readonly #ledger: Ledger;
  readonly #files: RecordingFiles;
  readonly #inTurn = pLimit(1);

  constructor(ledger: Ledger, files: RecordingFiles) {
    this.#ledger = ledger;
    this.#files = files;
  }

  add(wish: { readonly id: RecordingId; readonly name: string }, bytes: Uint8Array): Outcome {
    return this.#keep(bytes, (state, audio, nowMs) => addRecording(state, { ...wish, audio }, nowMs));
  }

  replace(id: string, bytes: Uint8Array): Outcome {
    return this.#inTurn(async () => {
      const before = findRecording(this.#ledger.state, id);
      if (!before.ok) return before;
      const kept = await this.#keepNow(bytes, (state, audio, nowMs) =>
        replaceRecording(state, { id, audio }, nowMs),
      );
      await this.#forgetUnused(before.value);
      return kept;
    });
  }

  remove(id: string): Outcome {
    return this.#inTurn(async () => {
      const removed = await this.#ledger.transact((state) => removeRecording(state, id));
      if (removed.ok) await this.#forgetUnused(removed.value);
      return removed;
    });
  }

  #keep(bytes: Uint8Array, decide: Decide): Outcome {
    return this.#inTurn(() => this.#keepNow(bytes, decide));
  }

  async #keepNow(bytes: Uint8Array, decide: Decide): Outcome {
    const read = readAudio(bytes);
    if (!read.ok) return refused({ problem: 'bad_request', message: read.refusal });
    const { format, durationMs } = read.value;
    const digest = hash('sha256', bytes, 'hex');
    const audio: Audio = { format, bytes: bytes.length, duration_ms: durationMs, digest };
    const trouble = await this.#keepFile(audio, bytes);
    if (trouble !== null) return refused(trouble);
    try {
      return await this.#ledger.transact((state, nowMs) => decide(state, audio, nowMs));
    } finally {
      // Refused, or not written down: nobody has it then.
      await this.#forgetUnused(audio);
    }
  }

  /** The refusal when the disk does not take it: said here, for the store's own health is about its journal. */
  async #keepFile(audio: AudioFile, bytes: Uint8Array): Promise<RecordingRefusal | null> {
    try {
      await this.#files.keep(audio, bytes);
      return null;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const message = `The audio could not be written to disk, so nothing was changed. ${error.message}`;
      return { problem: 'store_unavailable', message };
    }
  }

  async #forgetUnused(file: AudioFile): Promise<void> {
    const { recordings } = this.#ledger.state;
    if ([...recordings.values()].some(({ digest }) => digest === file.digest)) return;
    try {
      await this.#files.forget(file);
    } catch (error) {
      // What happened to the record stands; the next start takes the file away.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

type Decide = (state: State, audio: Audio, nowMs: number) => RecordingOutcome;
