import { hash } from 'node:crypto';
import type { SpeechProblem, Voice, VoiceId } from '../../src/contract/menu/speech.ts';
import { encodeWav } from '../../src/core/recording/wav.ts';
import { done, refused, type Result } from '../../src/core/result.ts';
import type { Speaker, SpeechRequest, SpokenAudio } from '../../src/core/speech/speaker.ts';

function voice(name: string, language = 'en-US'): Voice {
  return {
    id: `fake/${name}` as VoiceId,
    name,
    language,
    quality: 'basic',
    engine: 'fake',
    engine_version: '1',
    model_digest: hash('sha256', name, 'hex'),
    licence: 'MIT',
  };
}

/** Speaks a text as a tone that no other text has, and remembers what it was asked for. */
export class FakeSpeaker implements Speaker {
  readonly asked: SpeechRequest[] = [];
  /** Texts that it cannot speak. */
  readonly problems = new Map<string, SpeechProblem>();
  /** A text is spoken when this is over. */
  ready: Promise<unknown> = Promise.resolve();
  known: readonly Voice[] = [voice('anna'), voice('bob'), voice('carla', 'es-ES')];
  isClosed = false;
  /** At the same time. */
  most = 0;
  #running = 0;

  get running(): number {
    return this.#running;
  }

  voices(): Promise<readonly Voice[]> {
    return Promise.resolve(this.known);
  }

  async speak(request: SpeechRequest, signal: AbortSignal): Promise<Result<SpokenAudio, SpeechProblem>> {
    this.asked.push(request);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    const { promise: ended, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    try {
      await Promise.race([this.ready, ended]);
    } finally {
      this.#running -= 1;
    }
    const { text, language, voice: wanted } = request;
    const chosen = this.known.find(
      (one) => one.language === language && (wanted === null || one.id === wanted),
    );
    const problem = this.problems.get(text);
    if (problem !== undefined) return refused(problem);
    if (chosen === undefined) return refused({ kind: 'no_voice', language });
    const wav = toneOf(`${text} ${chosen.id}`);
    return done({ wav, durationMs: 200, voice: chosen });
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

function toneOf(text: string): Uint8Array {
  const hertz = 300 + (Number.parseInt(hash('sha256', text, 'hex').slice(0, 6), 16) % 2000);
  const rate = 16_000;
  const samples = Float32Array.from(
    { length: rate / 5 },
    (_, nth) => 0.3 * Math.sin((2 * Math.PI * hertz * nth) / rate),
  );
  return encodeWav({ samples, rate });
}
