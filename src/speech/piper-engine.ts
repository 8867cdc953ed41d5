import type { Voice } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import {
  EngineFailure,
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../core/speech/speaker.ts';
import { invariant } from '../core/unreachable.ts';
import { PiperVoice } from './piper-voice.ts';
import type { VoicePackFolder } from './voice-pack-folder.ts';

const idleMs = 60_000;
/** A model has 60 MB or more, which are read and compared with their digest before the first part. */
const loadingMs = 30_000;

export interface PiperEngineOptions {
  /** After so long without work the worker ends, and gives its memory back. */
  readonly idleMs?: number;
  readonly limitMs?: (text: string) => number;
}

/**
 * Speech by natural voices that were added to this machine.
 *
 * Invariants: at most one worker, with one voice; none after `close`; a part that is aborted, fails or takes too long leaves none.
 */
// see decisions/voices-are-added.md
export class PiperEngine implements SpeechEngine {
  readonly #packs: VoicePackFolder;
  readonly #idleMs: number;
  readonly #limitMs: (text: string) => number;
  #loaded: { readonly key: string; readonly speaking: PiperVoice } | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #isSpeaking = false;

  constructor(packs: VoicePackFolder, options: PiperEngineOptions = {}) {
    this.#packs = packs;
    this.#idleMs = options.idleMs ?? idleMs;
    this.#limitMs = options.limitMs ?? speakingLimitMs;
  }

  get isLoaded(): boolean {
    return this.#loaded !== null;
  }

  voices(): Promise<readonly Voice[]> {
    return this.#packs.voices();
  }

  async speak({ text, voice, rate }: SpeechPart, signal: StopSignal): Promise<Sound> {
    invariant(!this.#isSpeaking, 'an engine speaks one part at a time');
    signal.throwIfAborted();
    this.#isSpeaking = true;
    clearTimeout(this.#idleTimer);
    try {
      const order = await this.#packs.orderOf(voice);
      if (order === null) throw new EngineFailure('damaged');
      const isNew = this.#loaded?.key !== order.key;
      if (isNew) await this.close();
      this.#loaded ??= { key: order.key, speaking: new PiperVoice(order) };
      const limitMs = this.#limitMs(text) + (isNew ? loadingMs : 0);
      const sound = await this.#loaded.speaking.speak({ text: withoutMarkup(text), rate }, signal, limitMs);
      this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs).unref();
      return sound;
    } catch (error) {
      await this.close();
      if (error instanceof EngineFailure && error.reason === 'damaged')
        this.#packs.noteDamaged(voice, error.cause);
      throw error;
    } finally {
      this.#isSpeaking = false;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.speaking.close();
  }
}

/** Nothing that a phonemizer could take for markup or for phonemes. */
function withoutMarkup(text: string): string {
  return text.replace(/[<>\p{Cc}]|\[\[|\]\]/gu, ' ');
}
