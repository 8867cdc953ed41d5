import { type AudioRefusal, recordingLimitBytes } from '../../../contract/recording.ts';
import { readAudio } from '../../../core/recording/read-audio.ts';
import { done, refused, type Result } from '../../../core/result.ts';
import { audioRefusalText, convertedText, undecodableText } from '../../../text/recordings.ts';
import { holdFile, SoundThreadFailed, startSoundThread } from '../sound/start-sound-thread.ts';

/** What is sent of a file, and what a person is told when that, or what is stored of it, is not the file itself. */
export interface ReadyAudio {
  readonly body: Blob;
  readonly note: string | null;
}

/**
 * A file as the service takes it, or why it cannot be uploaded.
 *
 * What the service does not read, such as m4a and FLAC, a browser often decodes; then a WAV file is sent. What neither can read is
 * refused here by its name.
 */
// see decisions/audio.md
export async function readyAudio(file: Blob): Promise<Result<ReadyAudio, string>> {
  const read = readAudio(new Uint8Array(await file.arrayBuffer()));
  if (read.ok) {
    const { wav } = read.value;
    const isConverted = wav !== undefined && !wav.isPlain;
    return done({ body: file, note: isConverted ? convertedText({ codec: wav.codec }) : null });
  }
  if (!isWorthDecoding(read.refusal)) return refused(audioRefusalText(read.refusal));
  const body = await decodedFile(file);
  if (body === null) return refused(undecodableText(read.refusal));
  if (body.size > recordingLimitBytes)
    return refused(audioRefusalText({ code: 'too_long', bytes: body.size }));
  return done({ body, note: convertedText(read.refusal) });
}

/** Not what is damaged or empty: it would be no better. */
function isWorthDecoding({ code }: AudioRefusal): boolean {
  return code === 'other_format' || code === 'wav_codec' || code === 'ogg_codec' || code === 'unknown';
}

/** As a WAV file of one channel; null when this browser cannot decode it. */
async function decodedFile(file: Blob): Promise<Blob | null> {
  try {
    const first = await encodedAt(file, await durationOf(file));
    // Its duration was not known, and it is too long for so many samples a second.
    return first.wav.size > recordingLimitBytes ? (await encodedAt(file, first.durationMs)).wav : first.wav;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    if (error instanceof SoundThreadFailed) return null;
    throw error;
  }
}

async function encodedAt(
  file: Blob,
  durationMs: number | null,
): Promise<{ readonly wav: Blob; readonly durationMs: number }> {
  const thread = await startSoundThread();
  try {
    const { all, outline } = await holdFile(thread, await file.arrayBuffer(), durationMs);
    return { wav: (await thread.cut(all, 'own')).file, durationMs: outline.lengthMs };
  } finally {
    thread.end();
  }
}

/** As a player finds it; null when it does not, or when the file does not say so. */
function durationOf(file: Blob): Promise<number | null> {
  const address = URL.createObjectURL(file);
  const audio = new Audio();
  return new Promise((resolve) => {
    const end = (durationMs: number | null): void => {
      audio.removeAttribute('src');
      URL.revokeObjectURL(address);
      resolve(durationMs);
    };
    audio.addEventListener('error', () => end(null), { once: true });
    audio.addEventListener(
      'loadedmetadata',
      () => end(Number.isFinite(audio.duration) ? audio.duration * 1000 : null),
      { once: true },
    );
    audio.preload = 'metadata';
    audio.src = address;
  });
}
