import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { HistoryEvent } from '../contract/history/audit-event.ts';
import type { Recording, RecordingId } from '../contract/menu/recording.ts';
import type { RecordingSpeech } from '../contract/menu/speech.ts';
import { type Ledger, readState, StoreUnavailable } from '../core/ledger.ts';
import {
  addRecording,
  type Audio,
  findRecording,
  hasUnused,
  type RecordingOutcome,
  type RecordingRefusal,
  recordingsNamedIn,
  removeRecording,
  removeUnused,
  replaceRecording,
} from '../core/recording/change-recording.ts';
import type { AudioFile, RecordingFiles } from '../core/recording/recording-files.ts';
import { storedAudio } from '../core/recording/stored-audio.ts';
import { refused, type Result } from '../core/result.ts';
import type { State } from '../core/state.ts';

export interface NewRecording {
  readonly id: RecordingId;
  readonly name: string;
  readonly speech?: RecordingSpeech;
}

type Outcome = Promise<Result<Recording, RecordingRefusal>>;

/**
 * Recordings and their audio, which change together.
 *
 * The file is written before the record and deleted after it, so a crash leaves an orphan file and never a recording without
 * audio. One change at a time: recordings with the same audio share a file, which one may add while another removes it.
 */
export class RecordingService {
  readonly #ledger: Ledger;
  readonly #files: RecordingFiles;
  readonly #runExclusive = pLimit(1);

  constructor(ledger: Ledger, files: RecordingFiles) {
    this.#ledger = ledger;
    this.#files = files;
  }

  /** `speech`: what the audio was made of. */
  add(wanted: NewRecording, bytes: Uint8Array): Outcome {
    return this.#keep(bytes, (state, audio, nowMs) => addRecording(state, { ...wanted, audio }, nowMs));
  }

  replace(id: string, bytes: Uint8Array, speech: RecordingSpeech | null = null): Outcome {
    return this.#runExclusive(async () => {
      const before = findRecording(this.#ledger.state, id);
      if (!before.ok) return before;
      const kept = await this.#keepNow(bytes, (state, audio, nowMs) =>
        replaceRecording(state, { id, audio, speech }, nowMs),
      );
      await this.#forgetUnused(before.value);
      return kept;
    });
  }

  remove(id: string): Outcome {
    return this.#runExclusive(async () => {
      const removed = await this.#ledger.transact((state) => removeRecording(state, id));
      if (removed.ok) await this.#forgetUnused(removed.value);
      return removed;
    });
  }

  /** Removes what the program made and nothing has played for 30 days. `callsSince`: when each call began that still runs. */
  removeUnused(callsSince: readonly string[]): Promise<void> {
    return this.#runExclusive(async () => {
      const needsVersions = await readState(this.#ledger, hasUnused);
      const inVersions = needsVersions ? await this.#namedByVersions() : new Set<string>();
      const removed = await this.#ledger.transact((state, nowMs) =>
        removeUnused(state, { callsSince, inVersions }, nowMs),
      );
      for (const recording of removed) await this.#forgetUnused(recording);
    });
  }

  /** Versions are in the history only, also those of menus and call flows that were deleted. */
  async #namedByVersions(): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    const note = ({ data }: HistoryEvent): boolean => {
      for (const id of recordingsNamedIn(data)) named.add(id);
      return false; // no event itself is needed
    };
    await this.#ledger.history({ kinds: versionKinds, matches: note, limit: Infinity });
    return named;
  }

  #keep(bytes: Uint8Array, decide: Decide): Outcome {
    return this.#runExclusive(() => this.#keepNow(bytes, decide));
  }

  async #keepNow(upload: Uint8Array, decide: Decide): Outcome {
    const stored = storedAudio(upload);
    if (!stored.ok)
      return refused({ problem: 'bad_request', found: { kind: 'not_audio', refusal: stored.refusal } });
    const { format, durationMs, bytes } = stored.value;
    const digest = hash('sha256', bytes, 'hex');
    const audio: Audio = { format, bytes: bytes.length, duration_ms: durationMs, digest };
    const trouble = await this.#keepFile(audio, bytes);
    if (trouble !== null) return refused(trouble);
    try {
      return await this.#ledger.transact((state, nowMs) => decide(state, audio, nowMs));
    } finally {
      // Refused or not saved: then no recording uses the file.
      await this.#forgetUnused(audio);
    }
  }

  /** The refusal when the disk refuses the file. It is reported here, because the store only reports on its journal. */
  async #keepFile(audio: AudioFile, bytes: Uint8Array): Promise<RecordingRefusal | null> {
    try {
      await this.#files.keep(audio, bytes);
      return null;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { problem: 'store_unavailable', found: { kind: 'not_stored', refusal: error.refusal } };
    }
  }

  async #forgetUnused(file: AudioFile): Promise<void> {
    const { recordings } = this.#ledger.state;
    if ([...recordings.values()].some(({ digest }) => digest === file.digest)) return;
    try {
      await this.#files.forget(file);
    } catch (error) {
      // The record stays changed; the next start deletes the file.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

/** The events with the versions that can be restored. */
const versionKinds = ['ivr.created', 'ivr.updated', 'draft.published'];

type Decide = (state: State, audio: Audio, nowMs: number) => RecordingOutcome;
