import type { Recording } from '../../contract/menu/recording.ts';

/** An audio file, identified by its content: the same audio is one file, however many recordings use it. */
export type AudioFile = Pick<Recording, 'digest' | 'format'>;

/** Which bytes of a file: from `start` to `end`, both included. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The port to the audio files. `store` implements it, `service` uses it.
 *
 * `keep` resolves when the file is on disk, so that a recording always has its audio. `keep` and `forget` reject with
 * `StoreUnavailable`. Callers must not run them at the same time for one file: `forget` deletes it even if another
 * recording uses it.
 */
export interface RecordingFiles {
  keep(file: AudioFile, bytes: Uint8Array): Promise<void>;
  forget(file: AudioFile): Promise<void>;
  /** The bytes as they are on disk; null when there is no such file. */
  read(file: AudioFile, span: ByteSpan): Promise<AsyncIterable<Uint8Array> | null>;
}
