import { type AudioFormat, type AudioRefusal, recordingLimitBytes } from '../../contract/menu/recording.ts';
import { done, refused, type Result } from '../result.ts';
import { audioStart, readAudio } from './read-audio.ts';
import { mixed } from './sound.ts';
import { encodedBytes, encodeWav, readWav } from './wav.ts';
import { samplesIn, saysAt } from './wav-head.ts';

/** What is stored of an upload. */
export interface StoredAudio {
  readonly format: AudioFormat;
  readonly durationMs: number | null;
  readonly bytes: Uint8Array;
}

/**
 * What is stored of an upload: the file as it is when everything plays it, otherwise what it contains, as a WAV file of 16 bits.
 *
 * Calls, windows, exports and other programs then all play the stored file, and none of them needs a decoder of its own for what
 * recorders and telephone systems write.
 */
// see decisions/audio.md
export function storedAudio(upload: Uint8Array): Result<StoredAudio, AudioRefusal> {
  const read = readAudio(upload);
  if (!read.ok) return read;
  const { format, durationMs, from, bytes, wav } = read.value;
  if (wav !== undefined && !wav.isPlain) {
    const convertedBytes = encodedBytes(samplesIn(wav));
    if (convertedBytes > recordingLimitBytes) return refused({ code: 'too_long', bytes: convertedBytes });
    return done({ format, durationMs, bytes: encodeWav(mixed(readWav(upload.subarray(from), wav))) });
  }
  // Players expect tags in front of an MP3 file. Anything else in front of the audio keeps some of them from reading it.
  const isTagged = format === 'mp3' && saysAt(upload, 0, 'ID3') && from === audioStart(upload);
  return done({ format, durationMs, bytes: isTagged ? upload : upload.subarray(from, from + bytes) });
}
