import { recordingLimitBytes } from '../../../contract/menu/recording.ts';
import type { CutSound, HeldFacts, LevelledSound, SoundCalls } from './sound-worker.ts';
import SoundWorker from './sound-worker.ts?worker';
import { readAudio } from '../../../core/recording/read-audio.ts';

/** A thread of its own for one sound at a time. What it is asked for it does in that order. */
export type SoundThread = {
  readonly [C in keyof SoundCalls]: (
    ...given: Parameters<SoundCalls[C]>
  ) => Promise<ReturnType<SoundCalls[C]>>;
} & {
  /** Ends it. What it was asked for and has not answered is never answered. */
  readonly end: () => void;
};

/** The thread could not do it: its script did not load, or the machine has no memory for so many samples. */
export class SoundThreadFailed extends Error {
  override readonly name = 'SoundThreadFailed';
}

/**
 * Starts the thread that does with the samples of a sound what takes long. Whoever starts it ends it.
 *
 * The samples that it is given are gone from here afterwards. This and its calls throw `SoundThreadFailed`.
 */
export async function startSoundThread(): Promise<SoundThread> {
  const worker = new SoundWorker();
  const waiting: PromiseWithResolvers<never>[] = [];
  const answer = (): Promise<never> => {
    const next = Promise.withResolvers<never>();
    waiting.push(next);
    return next.promise;
  };
  worker.addEventListener('message', ({ data }: MessageEvent) => waiting.shift()?.resolve(data as never));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    waiting.shift()?.reject(new SoundThreadFailed(event.message));
  });
  await answer(); // its first word: the script is there
  return {
    hold: (channels): Promise<HeldFacts> => {
      worker.postMessage(
        ['hold', channels],
        channels.samples.map(({ buffer }) => buffer),
      );
      return answer();
    },
    holdWav: (file): Promise<HeldFacts> => {
      worker.postMessage(['holdWav', file], [file]);
      return answer();
    },
    cut: (...given): Promise<CutSound> => {
      worker.postMessage(['cut', ...given]);
      return answer();
    },
    level: (): Promise<LevelledSound | null> => {
      worker.postMessage(['level']);
      return answer();
    },
    end: () => worker.terminate(),
  };
}

/** What MP3 and Ogg are decoded to, in samples a second: the first is what most of them were made from. */
const rates = [44_100, 22_050, 11_025, 8_000] as const;
/** As many as a recording of 16-bit samples may have. */
const mostSamples = recordingLimitBytes / 2;
/** For what is too long for all of them. */
const leastRate = 8_000;

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
  const read = readAudio(new Uint8Array(file));
  if (read.ok && read.value.wav !== undefined && read.value.from === 0) return thread.holdWav(file);
  const context = new OfflineAudioContext(1, 1, rateFor(durationMs ?? 0));
  const decoded = await context.decodeAudioData(file);
  const samples = Array.from({ length: decoded.numberOfChannels }, (_, channel) =>
    decoded.getChannelData(channel),
  );
  return thread.hold({ samples, rate: decoded.sampleRate });
}

function rateFor(durationMs: number): number {
  return rates.find((rate) => (durationMs / 1000) * rate <= mostSamples) ?? leastRate;
}
