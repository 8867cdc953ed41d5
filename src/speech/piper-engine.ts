import type { Voice } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import {
  EngineFailure,
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../core/speech/speaker.ts';
import type { PiperPart } from './piper-worker.ts';
import { SpeakingWorker, type SpeakingWorkerOptions } from './speaking-worker.ts';
import type { VoicePackFolder } from './voice-pack-folder.ts';

/** A model has 60 MB or more, which are read and compared with their digest before the first part. */
const loadingMs = 30_000;

export interface PiperEngineOptions extends SpeakingWorkerOptions {
  readonly limitMs?: (text: string) => number;
}

/** Speech by natural voices that were added to this machine, one of them at a time in a worker. */
// see decisions/voices-are-added.md
export class PiperEngine implements SpeechEngine {
  readonly #packs: VoicePackFolder;
  readonly #worker: SpeakingWorker<PiperPart>;
  readonly #limitMs: (text: string) => number;

  constructor(packs: VoicePackFolder, { limitMs = speakingLimitMs, ...options }: PiperEngineOptions = {}) {
    this.#packs = packs;
    this.#worker = new SpeakingWorker('piper', { loadingMs, ...options });
    this.#limitMs = limitMs;
  }

  get isLoaded(): boolean {
    return this.#worker.isLoaded;
  }

  voices(): Promise<readonly Voice[]> {
    return this.#packs.voices();
  }

  async speak({ text, voice, rate }: SpeechPart, signal: StopSignal): Promise<Sound> {
    signal.throwIfAborted();
    const order = await this.#packs.orderOf(voice);
    if (order === null) {
      await this.close(); // its model may still be loaded
      throw new EngineFailure('damaged');
    }
    try {
      const part = { text: withoutMarkup(text), rate };
      return await this.#worker.speak(order, part, signal, this.#limitMs(text));
    } catch (error) {
      if (error instanceof EngineFailure && error.reason === 'damaged')
        this.#packs.noteDamaged(voice, error.cause);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

/** Nothing that a phonemizer could take for markup or for phonemes. */
function withoutMarkup(text: string): string {
  return text.replace(/[<>\p{Cc}]|\[\[|\]\]/gu, ' ');
}
