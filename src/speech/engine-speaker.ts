/**
 * The speaker that host composes: engines in their order, the first that has a voice of the language speaks. Parts are joined as
 * samples and brought to one loudness, so a text sounds alike with every engine. All work on samples is that of a worker.
 */
import type { Pronunciation, SpeechProblem, Voice } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import { done, refused, type Result } from '../core/result.ts';
import { noVoice, voiceFor } from '../core/speech/speech-request.ts';
import {
  EngineFailure,
  type Speaker,
  type SpeechEngine,
  type StopSignal,
  type SpeechRequest,
  type SpokenAudio,
} from '../core/speech/speaker.ts';
import { readSpokenText, type SpokenPart } from '../core/speech/spoken-text.ts';
import type { SoundAnswer, SoundOrder, SpokenWords } from './joining-worker.ts';
import { SpeakingWorker } from './speaking-worker.ts';

interface VoiceOfEngine {
  readonly voice: Voice;
  readonly engine: SpeechEngine;
}

export class EngineSpeaker implements Speaker {
  readonly #engines: readonly SpeechEngine[];
  readonly #pronunciations: () => readonly Pronunciation[];
  readonly #joining = new SpeakingWorker<SoundOrder, SoundAnswer>('joining');
  /** The end of the work that came last. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Engines in the order of preference; what is said otherwise than it is written, as it is when a text is spoken. */
  constructor(engines: readonly SpeechEngine[], pronunciations: () => readonly Pronunciation[] = () => []) {
    this.#engines = engines;
    this.#pronunciations = pronunciations;
  }

  async voices(): Promise<readonly Voice[]> {
    return (await this.#voicesOfEngines()).map(({ voice }) => voice);
  }

  speak(request: SpeechRequest, signal: StopSignal): Promise<Result<SpokenAudio, SpeechProblem>> {
    const spoken = this.#turn.then(() => this.#speak(request, signal));
    this.#turn = spoken.catch(() => null); // whoever asked has the error
    return spoken;
  }

  async close(): Promise<void> {
    await Promise.all([this.#joining.close(), ...this.#engines.map((engine) => engine.close())]);
  }

  async #speak(request: SpeechRequest, signal: StopSignal): Promise<Result<SpokenAudio, SpeechProblem>> {
    signal.throwIfAborted();
    const text = readSpokenText(request.text, request.language, this.#pronunciations());
    if (!text.ok) return text;
    const found = await this.#voiceOf(request);
    if (found === null) return refused(noVoice(request));

    try {
      const made = await this.#audioOf(text.value.parts, found, request, signal);
      if (made.kind === 'made')
        return done({ wav: made.wav, durationMs: made.durationMs, voice: found.voice });
      const reason = made.kind === 'odd' ? made.reason : 'silent';
      return refused({ kind: 'engine_failed', engine: found.voice.engine, reason });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      return refused({ kind: 'engine_failed', engine: found.voice.engine, reason: error.reason });
    }
  }

  /** A sound that cannot be its words is made once more. */
  async #audioOf(
    parts: readonly SpokenPart[],
    { engine, voice }: VoiceOfEngine,
    { rate, asItIs }: SpeechRequest,
    signal: StopSignal,
  ): Promise<SoundAnswer> {
    const sounds = new Map<string, Sound>(); // spelled characters come again
    const madeAgain = new Set<string>();
    for (;;) {
      const order: (SpokenWords | number)[] = [];
      for (const part of parts) {
        if (part.kind === 'pause') {
          order.push(part.ms);
          continue;
        }
        const { text } = part;
        const sound = sounds.get(text) ?? (await engine.speak({ text, voice: voice.id, rate }, signal));
        sounds.set(text, sound);
        order.push({ text, rate, sound, isAnyTaken: asItIs === true });
      }
      const answer = await this.#joining.speak(joiningOrder, order, signal, joiningLimitMs);
      if (answer.kind !== 'odd' || madeAgain.has(answer.text)) return answer;
      madeAgain.add(answer.text);
      sounds.delete(answer.text);
    }
  }

  /** Engines after the one whose voice it is are not asked: to ask some, a program is started. */
  async #voiceOf(request: SpeechRequest): Promise<VoiceOfEngine | null> {
    const known: VoiceOfEngine[] = [];
    for (const engine of this.#engines) {
      for (const voice of await engine.voices()) known.push({ voice, engine });
      const chosen = voiceFor(
        request,
        known.map(({ voice }) => voice),
      );
      if (chosen !== null && isSure(request, chosen)) break;
    }
    const chosen = voiceFor(
      request,
      known.map(({ voice }) => voice),
    );
    return known.find(({ voice }) => voice === chosen) ?? null;
  }

  async #voicesOfEngines(): Promise<readonly VoiceOfEngine[]> {
    const lists = this.#engines.map(async (engine) =>
      (await engine.voices()).map((voice) => ({ voice, engine })),
    );
    return (await Promise.all(lists)).flat();
  }
}

/** Whether no voice of a later engine is better: one was asked for, or it has the very language. */
function isSure({ voice, language }: SpeechRequest, found: Voice): boolean {
  return voice !== null || found.language.toLowerCase() === language.toLowerCase();
}

/** Loads nothing that differs. */
const joiningOrder = { key: '', data: null };
const joiningLimitMs = 30_000;
