import { recordingLimitBytes } from '../../../contract/recording.ts';
import { isReadable, readWavForm } from './read-wav.ts';
import type { HeldFacts } from './sound-worker.ts';
import type { SoundThread } from './start-sound-thread.ts';

/** What MP3 and Ogg are decoded to, in samples a second: the first is what most of them were made from. */
const rates = [44_100, 22_050, 11_025, 8_000] as const;
/** As many as a recording of 16-bit samples may have. */
const mostSamples = recordingLimitBytes / 2;
/** What every browser can decode to, in samples a second. */
const possibleRates = { least: 8_000, most: 96_000 } as const;

/**
 * Gives an audio file to a sound's thread. The file is gone from here afterwards.
 *
 * The thread reads a WAV file itself. Everything else only the browser can decode, and it copies the samples on the page's
 * thread: a long recording is therefore decoded to fewer of them. `durationMs` is null where it is not known. Throws an
 * `EncodingError` where the browser cannot decode it; the service may know formats that a browser does not.
 */
export async function holdFile(
  thread: SoundThread,
  file: ArrayBuffer,
  durationMs: number | null,
): Promise<HeldFacts> {
  const form = readWavForm(file);
  if (form !== null && isReadable(form)) return thread.holdWav(file);
  const ownRate = form?.rate ?? rateFor(durationMs ?? 0);
  const isPossible = ownRate >= possibleRates.least && ownRate <= possibleRates.most;
  const context = new OfflineAudioContext(1, 1, isPossible ? ownRate : rates[0]);
  const decoded = await context.decodeAudioData(file);
  const samples = Array.from({ length: decoded.numberOfChannels }, (_, channel) =>
    decoded.getChannelData(channel),
  );
  return thread.hold({ samples, rate: decoded.sampleRate });
}

function rateFor(durationMs: number): number {
  return rates.find((rate) => (durationMs / 1000) * rate <= mostSamples) ?? possibleRates.least;
}
