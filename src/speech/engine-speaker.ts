/**
 * The speaker that host composes: engines in their order, the first that has a voice of the language speaks. Parts are joined as
 * samples and brought to one loudness, so a text sounds alike with every engine.
 */
import { setImmediate } from 'node:timers/promises';
import type { Pronunciation, SpeechProblem, Voice } from '../contract/menu/speech.ts';
import { lengthMs, type Sound } from '../core/recording/sound.ts';
import { encodeWav } from '../core/recording/wav.ts';
import { done, refused, type Result } from '../core/result.ts';
import { levelled, type Steps } from '../core/speech/loudness.ts';
import { noVoice, voiceFor } from '../core/speech/speech-request.ts';
import {
  EngineFailure,
  type Speaker,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
  type SpeechRequest,
  type SpokenAudio,
} from '../core/speech/speaker.ts';
import { isPlausible, joined, silenceAtEndsMs, withoutSilence } from '../core/speech/speech-sound.ts';
import { readSpokenText } from '../core/speech/spoken-text.ts';

/** A sound that cannot be its text is made once more. */
const attempts = 2;

interface VoiceOfEngine {
  readonly voice: Voice;
  readonly engine: SpeechEngine;
}

export class EngineSpeaker implements Speaker {
  readonly #engines: readonly SpeechEngine[];
  readonly #pronunciations: () => readonly Pronunciation[];
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
    await Promise.all(this.#engines.map((engine) => engine.close()));
  }

  async #speak(request: SpeechRequest, signal: StopSignal): Promise<Result<SpokenAudio, SpeechProblem>> {
    signal.throwIfAborted();
    const text = readSpokenText(request.text, request.language, this.#pronunciations());
    if (!text.ok) return text;
    const known = await this.#voicesOfEngines();
    const chosen = voiceFor(
      request,
      known.map(({ voice }) => voice),
    );
    const found = known.find(({ voice }) => voice === chosen);
    if (found === undefined) return refused(noVoice(request));

    const sounds = new Map<string, Sound>(); // spelled characters come again
    const parts: (Sound | number)[] = [];
    for (const part of text.value.parts) {
      if (part.kind === 'pause') {
        parts.push(part.ms);
        continue;
      }
      const spoken = sounds.get(part.text);
      const made =
        spoken === undefined
          ? await soundOfPart(found, { text: part.text, voice: found.voice.id, rate: request.rate }, signal)
          : done(spoken);
      if (!made.ok) return made;
      sounds.set(part.text, made.value);
      parts.push(made.value);
    }
    return audioOf(parts, found.voice);
  }

  async #voicesOfEngines(): Promise<readonly VoiceOfEngine[]> {
    const lists = this.#engines.map(async (engine) =>
      (await engine.voices()).map((voice) => ({ voice, engine })),
    );
    return (await Promise.all(lists)).flat();
  }
}

/** One part without the silence at its ends, so that a pause has its exact length. */
async function soundOfPart(
  { engine, voice }: VoiceOfEngine,
  part: SpeechPart,
  signal: StopSignal,
): Promise<Result<Sound, SpeechProblem>> {
  let reason: 'silent' | 'implausible' = 'silent';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      const sound = withoutSilence(await engine.speak(part, signal), 0);
      if (sound.samples.length > 0 && isPlausible(sound, part.text, part.rate)) return done(sound);
      reason = sound.samples.length === 0 ? 'silent' : 'implausible';
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      return refused({ kind: 'engine_failed', engine: voice.engine, reason: error.reason });
    }
  }
  return refused({ kind: 'engine_failed', engine: voice.engine, reason });
}

async function audioOf(
  parts: readonly (Sound | number)[],
  voice: Voice,
): Promise<Result<SpokenAudio, SpeechProblem>> {
  const whole = joined([silenceAtEndsMs, ...parts, silenceAtEndsMs]);
  await setImmediate();
  const sound = whole === null ? null : await stepwise(levelled(whole));
  if (sound === null) return refused({ kind: 'engine_failed', engine: voice.engine, reason: 'silent' });
  await setImmediate();
  return done({ wav: encodeWav(sound), durationMs: Math.round(lengthMs(sound)), voice });
}

/** Other work of the program, such as a call, goes on between the steps. */
async function stepwise<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
