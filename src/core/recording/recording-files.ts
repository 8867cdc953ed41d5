import type { Recording } from '../../contract/recording.ts';

/** An audio file, known by what is in it: the same audio is one file, however many recordings have it. */
export type AudioFile = Pick<Recording, 'digest' | 'format'>;

/** Which bytes of a file: from `start` to `end`, both included. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The port to where audio lies. `store` implements it, `service` asks it.
 *
 * `keep` settles when the file is on disk, so that a recording never has less than its audio; it and `forget` reject with
 * `StoreUnavailable`. Who calls them sees to it that they do not meet: `forget` takes a file away whoever else has it.
 */
export interface RecordingFiles {
  keep(file: AudioFile, bytes: Uint8Array): Promise<void>;
  forget(file: AudioFile): Promise<void>;
  /** The bytes as they are on disk; null when there is no such file. */
  read(file: AudioFile, span: ByteSpan): Promise<AsyncIterable<Uint8Array> | null>;
}
