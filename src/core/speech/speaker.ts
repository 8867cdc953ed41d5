import type { SpeechProblem, Voice, VoiceId } from '../../contract/menu/speech.ts';
import type { Sound } from '../recording/sound.ts';
import type { Result } from '../result.ts';

/** An `AbortSignal`, as far as it is needed: the core knows no types of a platform. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
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
  voices(): Promise<readonly Voice[]>;
  /** At the rate of the engine. Rejects with the reason of the signal when that ends it. */
  speak(part: SpeechPart, signal: StopSignal): Promise<Sound>;
  /** Ends what it runs. */
  close(): Promise<void>;
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
}

export interface SpokenAudio {
  /** 16 bits, one channel, at the rate of the engine; -16 LUFS, at most -1 dBFS. */
  readonly wav: Uint8Array;
  readonly durationMs: number;
  readonly voice: Voice;
}

/** Makes audio of texts, one at a time. Host composes it of the engines; service knows only this, calls not even this. */
export interface Speaker {
  voices(): Promise<readonly Voice[]>;
  speak(request: SpeechRequest, signal: StopSignal): Promise<Result<SpokenAudio, SpeechProblem>>;
  close(): Promise<void>;
}
