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

/** What it does instead of speaking: never answers; silence; a sound that is cut off at the top; one of a moment; ends. */
type Oddity = 'slow' | 'silent' | 'clipped' | 'short' | 'ends';

const samplesASecond = 16_000;
const secondsOfCharacter = 0.07;

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

/** With silence before and after it, as engines have it. */
function toneOf(text: string, pitch: number, rate: number): Sound {
  const said = text.match(/[\p{L}\p{M}\p{N}$%@+= ]/gu) ?? [];
  const samplesOfCharacter = Math.round((samplesASecond * secondsOfCharacter) / rate);
  const silence = new Float32Array(samplesASecond / 5);
  const samples = Float32Array.from({ length: said.length * samplesOfCharacter }, (_, place) => {
    const character = said[Math.floor(place / samplesOfCharacter)] ?? '';
    const hertz = 100 * pitch + 20 * ((character.codePointAt(0) ?? 0) % 64);
    return 0.3 * Math.sin((2 * Math.PI * hertz * place) / samplesASecond);
  });
  return { samples: Float32Array.from([...silence, ...samples, ...silence]), rate: samplesASecond };
}
