import type { CutSound, HeldFacts, SoundCalls } from './sound-worker.ts';
import SoundWorker from './sound-worker.ts?worker';

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
    end: () => worker.terminate(),
  };
}
