import { createHash } from 'node:crypto';
import { type Voice, VoiceId } from '../../src/contract/menu/speech.ts';
import type { Sound } from '../../src/core/recording/sound.ts';
import {
  EngineFailure,
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../../src/core/speech/speaker.ts';
import { toneOf } from '../fixtures/tone-of-text.ts';

/** What it does instead of speaking: never answers; silence; a sound that is cut off at the top; one of a moment; ends. */
type Oddity = 'slow' | 'silent' | 'clipped' | 'short' | 'ends';

/**
 * An engine without a program: each character of a text is a tone of its own, so that two texts sound different and one always the same.
 *
 * It passes the suite of the real engines (test/speech/engines.test.ts). `oddities` are what it does next, one for each part; then it speaks.
 */
export class FakeSpeechEngine implements SpeechEngine {
  /** Every part that it was asked for. */
  readonly parts: SpeechPart[] = [];
  readonly oddities: Oddity[] = [];
  isClosed = false;
  readonly #voices: readonly Voice[];
  readonly #limitMs: (text: string) => number;

  constructor({
    languages = ['en-US', 'en-US'],
    engine = 'fake',
    limitMs = speakingLimitMs,
  }: {
    /** Of its voices, one after the other. */
    readonly languages?: readonly string[];
    readonly engine?: string;
    readonly limitMs?: (text: string) => number;
  } = {}) {
    this.#limitMs = limitMs;
    this.#voices = languages.map((language, nth) => ({
      id: VoiceId.parse(`${engine}/voice${String(nth)}`),
      name: `voice${String(nth)}`,
      language,
      quality: 'basic',
      engine,
      engine_version: '1.0',
      model_digest: createHash('sha256')
        .update(`${engine}${String(nth)}`)
        .digest('hex'),
      licence: 'MIT',
    }));
  }

  voices(): Promise<readonly Voice[]> {
    return Promise.resolve(this.#voices);
  }

  async speak(part: SpeechPart, signal: StopSignal): Promise<Sound> {
    signal.throwIfAborted();
    this.parts.push(part);
    const oddity = this.oddities.shift();
    if (oddity === 'ends') throw new EngineFailure('ended');
    const limitMs = this.#limitMs(part.text);
    if (oddity === 'slow' || limitMs === 0) await this.#never(signal, limitMs);
    // What is aborted at once is aborted before it is made.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    const pitch = this.#voices.findIndex(({ id }) => id === part.voice) + 1;
    const sound = toneOf(part.text, pitch, part.rate);
    if (oddity === 'silent') return { ...sound, samples: new Float32Array(sound.samples.length) };
    if (oddity === 'clipped') return { ...sound, samples: sound.samples.map((sample) => Math.sign(sample)) };
    return oddity === 'short' ? { ...sound, samples: sound.samples.slice(0, 4000) } : sound;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  #never(signal: StopSignal, limitMs: number): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new EngineFailure('too_late')), limitMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
    return promise;
  }
}
