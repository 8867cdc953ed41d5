import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { SilentPrompt } from '../contract/calls/pbx.ts';
import type { AuditEvent } from '../contract/history/audit-event.ts';
import type {
  Recording,
  RecordingId,
  SpeakRecording,
  SpeakText,
  SpokenPrompt,
} from '../contract/menu/recording.ts';
import type { RecordingSpeech, SpeechProblem, Voice } from '../contract/menu/speech.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { isoInstant } from '../core/iso-instant.ts';
import {
  findRecording,
  playingFields,
  type RecordingRefusal,
  storedPrompts,
} from '../core/recording/change-recording.ts';
import { done, refused, type Result } from '../core/result.ts';
import type { Speaker, SpeechRequest, SpokenAudio } from '../core/speech/speaker.ts';
import { noVoice, speechKeySource, voiceFor } from '../core/speech/speech-request.ts';
import {
  type SpokenRecording,
  spokenRecordingOf,
  spokenTextOf,
  spokenTexts,
} from '../core/speech/spoken-recording.ts';
import { readSpokenText } from '../core/speech/spoken-text.ts';
import { invariant } from '../core/unreachable.ts';
import { mintId } from './secrets/token-value.ts';
import type { RecordingService } from './recording-service.ts';

export interface SpokenPromptsParts {
  readonly ledger: Ledger;
  readonly recordings: RecordingService;
  /** Null: there are no voices. */
  readonly speaker: Speaker | null;
  readonly clock: Clock;
  /** Called when a text of a stored menu could not be spoken, for the log. */
  readonly onUnspoken: (text: string, problem: SpeechProblem) => void;
  readonly onFailure: (error: unknown) => void;
}

type Outcome = Result<Recording, RecordingRefusal>;

/** How long speech is made while a menu is published. What is left then is spoken in the background. */
const publishingMs = 60_000;

/**
 * Speech of the texts that menus have, as recordings: made when a menu is stored, never during a call.
 *
 * Invariants: one text at a time, so that a text is never made twice; nothing is asked of the speaker, which would load an engine, while
 * every text has a recording; a recording that callers hear is replaced only when somebody asks for it.
 */
// see decisions/speech-made-beforehand.md
export class SpokenPrompts {
  readonly #parts: SpokenPromptsParts;
  readonly #oneByOne = pLimit(1);
  readonly #ending = new AbortController();
  readonly #unsubscribe: () => void;
  /** Texts that could not be spoken with the settings of now, and why: they are not tried again in the background. */
  readonly #failed = new Map<string, SpeechProblem>();
  #isLooking = false;

  constructor(parts: SpokenPromptsParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.ledger.subscribe((event) => this.#note(event));
  }

  async voices(): Promise<readonly Voice[]> {
    return (await this.#parts.speaker?.voices()) ?? [];
  }

  /** The audio of a text; nothing is stored. */
  hear(asked: SpeakText, signal: AbortSignal): Promise<Result<SpokenAudio, RecordingRefusal>> {
    return this.#ask(this.#requestOf(asked), signal);
  }

  /** A recording of a text: the one that there is, or a new one. */
  speak({ name, ...asked }: SpeakRecording): Promise<Outcome> {
    const request = this.#requestOf(asked);
    return this.#oneByOne(async () => {
      const found = this.#foundFor(request);
      return found?.isAsWanted === true
        ? done(found.recording)
        : this.#add(request, { name, isAutomatic: false });
    });
  }

  /** Speaks the text of a recording with the language and the voice of the settings. */
  speakAgain(id: string): Promise<Outcome> {
    return this.#oneByOne(async () => {
      const found = findRecording(this.#parts.ledger.state, id);
      if (!found.ok) return found;
      const { speech, name } = found.value;
      if (speech === null) return refused({ problem: 'conflict', found: { kind: 'no_text', name } });
      return this.#replace(found.value, this.#requestOf({ text: speech.text }));
    });
  }

  /** What callers hear of these texts; unless `isCheck`, speech is made of those that have none or another than is wanted. */
  async speakTexts(
    texts: readonly string[],
    { isCheck, signal }: { readonly isCheck: boolean; readonly signal?: AbortSignal },
  ): Promise<SpokenPrompt[]> {
    const spoken: SpokenPrompt[] = [];
    for (const text of texts)
      spoken.push(await this.#oneByOne(() => this.#speakText(text, { isCheck, signal })));
    return spoken;
  }

  /** Makes what is missing for a menu that is about to be stored. Returns why texts were not spoken. */
  async speakMissing(prompts: Iterable<string>): Promise<ReadonlyMap<string, SpeechProblem>> {
    const problems = new Map<string, SpeechProblem>();
    const signal = AbortSignal.timeout(publishingMs);
    for (const text of spokenTexts(prompts)) {
      if (this.#foundFor(this.#requestOf({ text })) !== null) continue;
      try {
        const { problem } = await this.#oneByOne(() => this.#speakText(text, { isCheck: false, signal }));
        if (problem !== null) problems.set(text, problem);
      } catch (error) {
        // What is left is spoken in the background. Where the audio cannot be stored, the menu cannot be either, and that is said.
        if (signal.aborted || error instanceof StoreUnavailable) break;
        throw error;
      }
    }
    return problems;
  }

  /** Without the texts that are spoken when their menu is stored, and with the reason for the others. */
  async explain<One extends SilentPrompt>(silent: readonly One[]): Promise<One[]> {
    const problems = await Promise.all(
      silent.map(async ({ prompt, reason }) => {
        const text = reason === 'not_speech' ? spokenTextOf(prompt) : null;
        return text === null ? undefined : this.#problemOf(text);
      }),
    );
    return silent.flatMap((one, nth) => {
      const problem = problems[nth];
      if (problem === null) return [];
      return [problem === undefined ? one : { ...one, speech: problem }];
    });
  }

  /** Speaks what stored menus lack, in the background. */
  look(): void {
    if (this.#isLooking || this.#parts.speaker === null || this.#isEnding()) return;
    this.#isLooking = true;
    void this.#speakStored();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#ending.abort();
    this.#oneByOne.clearQueue();
    await this.#parts.speaker?.close();
  }

  #note({ kind, data }: AuditEvent): void {
    if (kind === 'settings.changed') {
      const { speech_language: language, speech_voice: voice } = data.settings;
      if (language === undefined && voice === undefined) return;
      this.#failed.clear();
    } else if (kind === 'ivr.created' || kind === 'ivr.updated') {
      const texts = spokenTexts(playingFields.map((field) => data.ivr[field]));
      if (texts.every((text) => this.#foundFor(this.#requestOf({ text })) !== null)) return;
      // Whoever stores a menu again may try again.
      for (const text of texts) this.#failed.delete(text);
    } else if (kind !== 'recording.replaced') return;
    // After the reply to whoever has changed it.
    setImmediate(() => this.look());
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #speakStored(): Promise<void> {
    for (;;) {
      const [text] = this.#missingInMenus();
      if (text === undefined || this.#isEnding()) {
        this.#isLooking = false;
        return;
      }
      try {
        const { problem } = await this.#oneByOne(() => this.#speakText(text, { isCheck: false }));
        if (problem !== null) this.#parts.onUnspoken(text, problem);
        if (problem?.kind === 'no_voice')
          for (const other of this.#missingInMenus()) this.#failed.set(other, problem);
      } catch (error) {
        this.#isLooking = false;
        // The disk is full, for example: the next change of a menu tries again.
        if (!this.#isEnding()) this.#parts.onFailure(error);
        return;
      }
    }
  }

  /** Texts of stored menus that no recording was spoken of, without those that cannot be spoken. */
  #missingInMenus(): string[] {
    const { state } = this.#parts.ledger;
    const spoken = new Set(Array.from(state.recordings.values(), ({ speech }) => speech?.text));
    return spokenTexts(storedPrompts(state)).filter((text) => !spoken.has(text) && !this.#failed.has(text));
  }

  async #speakText(
    text: string,
    { isCheck, signal }: { readonly isCheck: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<SpokenPrompt> {
    const request = this.#requestOf({ text });
    const found = this.#foundFor(request);
    const known = { text, made: false, recording: found?.recording.id ?? null, problem: null };
    if (found?.isAsWanted === true) return { ...known, state: 'spoken' };
    const state = found === null ? 'missing' : 'changed';
    if (isCheck) return { ...known, state, problem: await this.#problemOf(text) };
    const isAutomatic = found?.recording.speech?.automatic ?? false;
    const made = await (found !== null && isAutomatic
      ? this.#replace(found.recording, request, signal)
      : this.#add(request, { isAutomatic: true }, signal));
    if (made.ok) return { text, state: 'spoken', made: true, recording: made.value.id, problem: null };
    const { found: problem } = made.refusal;
    if (problem.kind === 'not_stored') throw new StoreUnavailable(problem.refusal);
    invariant(problem.kind === 'not_spoken', `speech is stored or refused, not ${problem.kind}`);
    this.#failed.set(text, problem.problem);
    return { ...known, state, problem: problem.problem };
  }

  async #add(
    request: SpeechRequest,
    { name, isAutomatic }: { readonly name?: string | undefined; readonly isAutomatic: boolean },
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const made = await this.#ask(request, signal);
    if (!made.ok) return made;
    const speech = this.#speechOf(request, made.value, isAutomatic);
    const id = mintId('rec_') as RecordingId;
    return this.#parts.recordings.add({ id, name: name ?? nameOf(request.text), speech }, made.value.wav);
  }

  async #replace(recording: Recording, request: SpeechRequest, signal?: AbortSignal): Promise<Outcome> {
    const made = await this.#ask(request, signal);
    if (!made.ok) return made;
    const speech = this.#speechOf(request, made.value, recording.speech?.automatic ?? false);
    return this.#parts.recordings.replace(recording.id, made.value.wav, speech);
  }

  async #ask(request: SpeechRequest, signal?: AbortSignal): Promise<Result<SpokenAudio, RecordingRefusal>> {
    const { speaker } = this.#parts;
    if (speaker === null) return refused(notSpoken({ kind: 'no_voice', language: request.language }));
    const signals = signal === undefined ? [this.#ending.signal] : [this.#ending.signal, signal];
    const made = await speaker.speak(request, AbortSignal.any(signals));
    return made.ok ? made : refused(notSpoken(made.refusal));
  }

  #speechOf(
    { text, language, rate }: SpeechRequest,
    { voice }: SpokenAudio,
    automatic: boolean,
  ): RecordingSpeech {
    const asked = { text, language, voice: voice.id, rate };
    return {
      ...asked,
      key: hash('sha256', speechKeySource(asked, []), 'hex'),
      engine_version: voice.engine_version,
      model_digest: voice.model_digest,
      made_at: isoInstant(this.#parts.clock()),
      automatic,
    };
  }

  /** With the language and the voice of the settings, where it has none of its own. */
  #requestOf({ text, language, voice }: SpeakText): SpeechRequest {
    const { speech_language: usualLanguage, speech_voice: usualVoice } = this.#parts.ledger.state.settings;
    return { text, language: language ?? usualLanguage, voice: voice ?? usualVoice, rate: 1 };
  }

  #foundFor({ text, language, voice }: SpeechRequest): SpokenRecording<Recording> | null {
    const { recordings } = this.#parts.ledger.state;
    return spokenRecordingOf(recordings.values(), text, { speech_language: language, speech_voice: voice });
  }

  /** Why no speech can be made of a text, as far as is known without trying; null: nothing is known against it. */
  async #problemOf(text: string): Promise<SpeechProblem | null> {
    const known = this.#failed.get(text);
    if (known !== undefined) return known;
    const request = this.#requestOf({ text });
    const read = readSpokenText(text, request.language, []);
    if (!read.ok) return read.refusal;
    return voiceFor(request, await this.voices()) === null ? noVoice(request) : null;
  }
}

function notSpoken(problem: SpeechProblem): RecordingRefusal {
  const isFaultOfText = ['unreadable', 'too_long', 'pauses_too_long', 'nothing_to_say'].includes(
    problem.kind,
  );
  return { problem: isFaultOfText ? 'bad_request' : 'conflict', found: { kind: 'not_spoken', problem } };
}

const longestName = 60;

/** A recording is called as its text begins. */
function nameOf(text: string): string {
  const plain = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  if (plain === '') return 'Speech';
  return plain.length <= longestName
    ? plain
    : `${Array.from(plain)
        .slice(0, longestName - 1)
        .join('')
        .trim()}…`;
}
