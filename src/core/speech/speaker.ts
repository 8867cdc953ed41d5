import type { SpeechProblem, Voice, VoiceId } from '../../contract/menu/speech.ts';
import type { Sound } from '../recording/sound.ts';
import type { Result } from '../result.ts';

/** What ends work that nobody waits for any more: an `AbortSignal`, which the language itself does not have. */
export interface StopSignal {
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(kind: 'abort', listener: () => void): void;
  removeEventListener(kind: 'abort', listener: () => void): void;
}

/** One part of a text: plain words, never markup. */
export interface SpeechPart {
  readonly text: string;
  readonly voice: VoiceId;
  /** 1 is the usual speed of the voice. */
  readonly rate: number;
}

/** What makes sound of words: an adapter in the module `speech`. It loads nothing before the first part. */
export interface SpeechEngine {
  /** Never rejects: an engine that is not on this machine, or does not answer, has none. Asked before each text, so it is quick. */
  voices(): Promise<readonly Voice[]>;
  /** At the rate of the engine; one at a time. Rejects with the reason of the signal when that ends it, else with `EngineFailure`. */
  speak(part: SpeechPart, signal: StopSignal): Promise<Sound>;
  /** Ends what it runs. */
  close(): Promise<void>;
}

/** Its process or worker ended, has been ended because it took too long, or its files are not those that were installed. */
export class EngineFailure extends Error {
  readonly reason: 'ended' | 'too_late' | 'damaged';

  constructor(reason: EngineFailure['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** How long an engine may take for a text. */
export function speakingLimitMs(text: string): number {
  return 10_000 + (text.length / 20) * 1000;
}

/** A spoken text as it is asked for: what the key of its recording is made of. */
export interface SpeechRequest {
  /** As the menu has it, with pauses and spelled digits (`<break time="500ms"/>`). */
  readonly text: string;
  /** BCP 47. */
  readonly language: string;
  /** Null: the first voice of the language. */
  readonly voice: VoiceId | null;
  readonly rate: number;
  /** Whether a sound is taken that can hardly be the text. Silence never is. */
  readonly asItIs?: true;
}

export interface SpokenAudio {
  /** 16 bits, one channel, at the rate of the engine; -16 LUFS, at most -1 dBFS. */
  readonly wav: Uint8Array;
  readonly durationMs: number;
  readonly voice: Voice;
}

/**
 * Makes audio of texts, one at a time. `speak` rejects only with the reason of its signal.
 *
 * Host composes it of the engines; service knows only this, calls not even this.
 */
export interface Speaker {
  voices(): Promise<readonly Voice[]>;
  speak(request: SpeechRequest, signal: StopSignal): Promise<Result<SpokenAudio, SpeechProblem>>;
  close(): Promise<void>;
}
