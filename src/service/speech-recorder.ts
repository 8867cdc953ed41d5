import { hash } from 'node:crypto';
import type { Recording, RecordingId } from '../contract/menu/recording.ts';
import type { Pronunciation, RecordingSpeech, SpeechProblem } from '../contract/menu/speech.ts';
import { isoInstant } from '../core/iso-instant.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { RecordingRefusal } from '../core/recording/change-recording.ts';
import { refused, type Result } from '../core/result.ts';
import type { Speaker, SpeechRequest, SpokenAudio } from '../core/speech/speaker.ts';
import { speechKeySource } from '../core/speech/speech-request.ts';
import { nameOfSpeech } from '../core/speech/spoken-recording.ts';
import { mintId } from './secrets/token-value.ts';
import type { RecordingService } from './recording-service.ts';

export interface SpeechRecorderParts {
  readonly ledger: Ledger;
  readonly recordings: RecordingService;
  /** Null: there are no voices. */
  readonly speaker: Speaker | null;
  readonly clock: Clock;
}

type Outcome = Result<Recording, RecordingRefusal>;

/** Makes speech of a text and stores it as a recording, with what it was made of. */
export class SpeechRecorder {
  readonly #parts: SpeechRecorderParts;
  readonly #ending: AbortSignal;
  /** Of each speech the key that it has with the pronunciations of now. */
  #keysNow = new WeakMap<RecordingSpeech, string>();
  #pronunciations: readonly Pronunciation[] | null = null;

  /** `ending` ends what is being made. */
  constructor(parts: SpeechRecorderParts, ending: AbortSignal) {
    this.#parts = parts;
    this.#ending = ending;
  }

  /** They have changed. */
  notePronunciations(): void {
    this.#pronunciations = null;
    this.#keysNow = new WeakMap();
  }

  /** A new recording of the text; without a name it is called as the text begins. */
  async add(
    request: SpeechRequest,
    { name, isAutomatic }: { readonly name?: string | undefined; readonly isAutomatic: boolean },
    signal?: AbortSignal,
  ): Promise<Outcome> {
    // Before: when one changes meanwhile, the recording counts as changed rather than as new.
    const pronunciations = this.pronunciations();
    const made = await this.make(request, signal);
    if (!made.ok) return made;
    const speech = this.#speechOf(request, made.value, { automatic: isAutomatic, pronunciations });
    const id = mintId('rec_') as RecordingId;
    return this.#parts.recordings.add(
      { id, name: name ?? nameOfSpeech(request.text), speech },
      made.value.wav,
    );
  }

  /** The same recording, spoken again. */
  async replace(recording: Recording, request: SpeechRequest, signal?: AbortSignal): Promise<Outcome> {
    const pronunciations = this.pronunciations();
    const made = await this.make(request, signal);
    if (!made.ok) return made;
    const now = this.#parts.ledger.state.recordings.get(recording.id);
    // Somebody put other audio there meanwhile: it stays.
    if (now !== undefined && now.digest !== recording.digest) return { ok: true, value: now };
    // Or kept it meanwhile: it stays theirs.
    const automatic = now?.speech?.automatic ?? false;
    const speech = this.#speechOf(request, made.value, { automatic, pronunciations });
    return this.#parts.recordings.replace(recording.id, made.value.wav, speech);
  }

  /** The audio of a text; nothing is stored. */
  async make(request: SpeechRequest, signal?: AbortSignal): Promise<Result<SpokenAudio, RecordingRefusal>> {
    const { speaker } = this.#parts;
    if (speaker === null) return refused(notSpoken({ kind: 'no_voice', language: request.language }));
    const signals = signal === undefined ? [this.#ending] : [this.#ending, signal];
    const made = await speaker.speak(request, AbortSignal.any(signals));
    return made.ok ? made : refused(notSpoken(made.refusal));
  }

  /** Those that there are now. */
  pronunciations(): readonly Pronunciation[] {
    this.#pronunciations ??= [...this.#parts.ledger.state.pronunciations.values()];
    return this.#pronunciations;
  }

  /** The key that a speech would have if only its pronunciations were those of now. */
  keyNow(speech: RecordingSpeech): string {
    const known = this.#keysNow.get(speech) ?? keyOf(speech, this.pronunciations());
    this.#keysNow.set(speech, known);
    return known;
  }

  #speechOf(
    { text, language, rate }: SpeechRequest,
    { voice }: SpokenAudio,
    { automatic, pronunciations }: { automatic: boolean; pronunciations: readonly Pronunciation[] },
  ): RecordingSpeech {
    const asked = { text, language, voice: voice.id, rate };
    return {
      ...asked,
      key: keyOf(asked, pronunciations),
      engine_version: voice.engine_version,
      model_digest: voice.model_digest,
      made_at: isoInstant(this.#parts.clock()),
      automatic,
      voice_language: voice.language,
    };
  }
}

function keyOf(asked: Parameters<typeof speechKeySource>[0], pronunciations: readonly Pronunciation[]) {
  return hash('sha256', speechKeySource(asked, pronunciations), 'hex');
}

function notSpoken(problem: SpeechProblem): RecordingRefusal {
  const isFaultOfText = ['unreadable', 'too_long', 'pauses_too_long', 'nothing_to_say'].includes(
    problem.kind,
  );
  return { problem: isFaultOfText ? 'bad_request' : 'conflict', found: { kind: 'not_spoken', problem } };
}
