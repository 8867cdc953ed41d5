import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { SilentPrompt } from '../contract/calls/pbx.ts';
import type { AuditEvent } from '../contract/history/audit-event.ts';
import type { IvrBody, IvrWarning } from '../contract/menu/ivr.ts';
import type {
  CheckTexts,
  Recording,
  RecordingId,
  SpeakAgain,
  SpeakRecording,
  SpeakText,
  SpokenPrompt,
} from '../contract/menu/recording.ts';
import type {
  Pronunciation,
  RecordingSpeech,
  SpeechChange,
  SpeechProblem,
  Voice,
} from '../contract/menu/speech.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { isoInstant } from '../core/iso-instant.ts';
import {
  findRecording,
  keepRecording,
  playingFields,
  type RecordingRefusal,
  storedPrompts,
} from '../core/recording/change-recording.ts';
import { refused, type Result } from '../core/result.ts';
import type { Speaker, SpeechRequest, SpokenAudio } from '../core/speech/speaker.ts';
import {
  noVoice,
  requestAgain,
  speechChanges,
  speechKeySource,
  voiceFor,
} from '../core/speech/speech-request.ts';
import {
  nameOfSpeech,
  spokenRecordingOf,
  spokenTextOf,
  spokenTexts,
} from '../core/speech/spoken-recording.ts';
import { readSpokenText } from '../core/speech/spoken-text.ts';
import { invariant } from '../core/unreachable.ts';
import { unreadableWarning, unspokenWarning } from '../text/menu/speech-text.ts';
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
  /** Of each speech the key that it has with the pronunciations of now. */
  #keysNow = new WeakMap<RecordingSpeech, string>();
  #pronunciations: readonly Pronunciation[] | null = null;
  /** Null until they were asked for. */
  #voices: readonly Voice[] | null = null;
  #isLooking = false;

  constructor(parts: SpokenPromptsParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.ledger.subscribe((event) => this.#note(event));
  }

  async voices(): Promise<readonly Voice[]> {
    this.#voices = (await this.#parts.speaker?.voices()) ?? [];
    return this.#voices;
  }

  /** For warnings: waits for the voices once. Later they are those of the time before, for a program may list them for seconds. */
  async knowVoices(): Promise<void> {
    const asking = this.voices();
    if (this.#voices === null) await asking;
    else asking.catch(() => undefined); // the next one asks again
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
      if (found === null || this.#changesFor(found, request).length > 0)
        return this.#add(request, { name, isAutomatic: false });
      // A person has asked for it: it stays, whether a menu plays it or not.
      return this.#parts.ledger.transact((state, nowMs) =>
        keepRecording(state, { id: found.id, name }, nowMs),
      );
    });
  }

  /** Speaks the text of a recording as the settings have it now, or as it is asked for. */
  speakAgain(id: string, wanted: SpeakAgain = {}, signal?: AbortSignal): Promise<Outcome> {
    return this.#oneByOne(async () => {
      const found = findRecording(this.#parts.ledger.state, id);
      if (!found.ok) return found;
      const { speech, name } = found.value;
      if (speech === null) return refused({ problem: 'conflict', found: { kind: 'no_text', name } });
      const usual = requestAgain(speech, this.#parts.ledger.state.settings);
      const { language = usual.language, voice = wanted.language === undefined ? usual.voice : null } =
        wanted;
      return this.#replace(found.value, { ...usual, language, voice }, signal);
    });
  }

  /** What would be different if a recording was spoken again now. */
  changesOf({ speech }: Recording): readonly SpeechChange[] {
    return speech === null
      ? []
      : speechChanges(speech, this.#parts.ledger.state.settings, this.#keyNow(speech));
  }

  /** What callers would hear of texts that need not be stored anywhere. */
  checkTexts({ texts, ...asked }: CheckTexts): Promise<SpokenPrompt[]> {
    let voices: Promise<readonly Voice[]> | undefined;
    const ask = () => (voices ??= this.voices());
    return Promise.all(texts.map((text) => this.#checked(this.#requestOf({ ...asked, text }), ask)));
  }

  /** The texts of prompts that no recording was spoken of, each once. */
  missingOf(prompts: Iterable<string>): string[] {
    const spoken = new Set(
      Array.from(this.#parts.ledger.state.recordings.values(), ({ speech }) => speech?.text),
    );
    return spokenTexts(prompts).filter((text) => !spoken.has(text));
  }

  /** What callers do not hear of the texts of a menu, as far as is known without speaking them (`voices` asks for the voices that there are). */
  warningsFor(body: IvrBody, problems: ReadonlyMap<string, SpeechProblem> = new Map()): IvrWarning[] {
    return playingFields.flatMap((field): IvrWarning[] => {
      const text = spokenTextOf(body[field]);
      if (text === null) return [];
      const { problem: known, unreadable } = this.#troubleOf(this.#requestOf({ text }));
      const problem = problems.get(text) ?? known;
      if (problem !== null) return [{ field, message: unspokenWarning(problem) }];
      return unreadable.length === 0 ? [] : [{ field, message: unreadableWarning(unreadable) }];
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
        if (text === null) return undefined;
        await this.voices();
        return this.#troubleOf(this.#requestOf({ text })).problem;
      }),
    );
    return silent.flatMap((one, nth) => {
      const problem = problems[nth];
      if (problem === null) return [];
      return [problem === undefined ? one : { ...one, speech: problem }];
    });
  }

  /** A voice was added: texts that could not be spoken are tried again. */
  noteNewVoice(): void {
    this.#failed.clear();
    this.look();
  }

  /** Speaks what stored menus lack, in the background. */
  look(): void {
    if (this.#isLooking || this.#parts.speaker === null || this.#isEnding()) return;
    this.#isLooking = true;
    void this.#speakStored();
  }

  /** Aborts what is being spoken, so that nobody waits for it at the end. */
  giveUp(): void {
    this.#ending.abort();
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
    } else if (kind === 'pronunciations.changed') {
      this.#pronunciations = null;
      this.#keysNow = new WeakMap();
      this.#failed.clear(); // what could not be read before may be read now
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
    return this.missingOf(storedPrompts(this.#parts.ledger.state)).filter((text) => !this.#failed.has(text));
  }

  async #speakText(
    text: string,
    { isCheck, signal }: { readonly isCheck: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<SpokenPrompt> {
    const request = this.#requestOf({ text });
    const before = await this.#checked(request);
    if (isCheck || before.state === 'spoken') return before;
    const found = this.#foundFor(request);
    // What only says a word in another way stays the recording that it is; another voice is another recording of a person.
    const isSameVoice = before.changed.every((change) => change === 'pronunciation');
    const made = await (found !== null && (found.speech?.automatic === true || isSameVoice)
      ? this.#replace(found, request, signal)
      : this.#add(request, { isAutomatic: true }, signal));
    if (made.ok) return { ...(await this.#checked(request)), made: true };
    const { found: problem } = made.refusal;
    if (problem.kind === 'not_stored') throw new StoreUnavailable(problem.refusal);
    invariant(problem.kind === 'not_spoken', `speech is stored or refused, not ${problem.kind}`);
    this.#failed.set(text, problem.problem);
    return { ...before, problem: problem.problem };
  }

  /** What callers hear of a text, and what they would hear. */
  async #checked(request: SpeechRequest, ask = () => this.voices()): Promise<SpokenPrompt> {
    const { text } = request;
    const found = this.#foundFor(request);
    const changed = found === null ? [] : this.#changesFor(found, request);
    const speech = found?.speech ?? null;
    const isSpoken = found !== null && changed.length === 0;
    // What is spoken needs no voice, and nothing is asked of the speaker.
    const voice = speech === null ? voiceFor(request, await ask()) : null;
    if (!isSpoken && speech !== null) await ask();
    const { problem, unreadable } = this.#troubleOf(request);
    return {
      text,
      state: isSpoken ? 'spoken' : found === null ? 'missing' : 'changed',
      changed: [...changed],
      made: false,
      recording: found?.id ?? null,
      voice: speech?.voice ?? voice?.id ?? null,
      voice_language:
        speech === null ? (voice?.language ?? null) : (speech.voice_language ?? speech.language),
      unreadable: [...unreadable],
      problem: isSpoken ? null : problem,
    };
  }

  async #add(
    request: SpeechRequest,
    { name, isAutomatic }: { readonly name?: string | undefined; readonly isAutomatic: boolean },
    signal?: AbortSignal,
  ): Promise<Outcome> {
    // Before: when one changes meanwhile, the recording counts as changed rather than as new.
    const pronunciations = this.#pronunciationsNow();
    const made = await this.#ask(request, signal);
    if (!made.ok) return made;
    const speech = this.#speechOf(request, made.value, { automatic: isAutomatic, pronunciations });
    const id = mintId('rec_') as RecordingId;
    return this.#parts.recordings.add(
      { id, name: name ?? nameOfSpeech(request.text), speech },
      made.value.wav,
    );
  }

  async #replace(recording: Recording, request: SpeechRequest, signal?: AbortSignal): Promise<Outcome> {
    const pronunciations = this.#pronunciationsNow();
    const made = await this.#ask(request, signal);
    if (!made.ok) return made;
    const now = this.#parts.ledger.state.recordings.get(recording.id);
    // Somebody put other audio there meanwhile: it stays.
    if (now !== undefined && now.digest !== recording.digest) return { ok: true, value: now };
    // Or kept it meanwhile: it stays theirs.
    const automatic = now?.speech?.automatic ?? false;
    const speech = this.#speechOf(request, made.value, { automatic, pronunciations });
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

  #pronunciationsNow(): readonly Pronunciation[] {
    this.#pronunciations ??= [...this.#parts.ledger.state.pronunciations.values()];
    return this.#pronunciations;
  }

  /** The key that a speech would have if only its pronunciations were those of now. */
  #keyNow(speech: RecordingSpeech): string {
    const known = this.#keysNow.get(speech) ?? keyOf(speech, this.#pronunciationsNow());
    this.#keysNow.set(speech, known);
    return known;
  }

  /** With the language and the voice of the settings, where it has none of its own. */
  #requestOf({ text, language, voice }: SpeakText): SpeechRequest {
    const { speech_language: usualLanguage, speech_voice: usualVoice } = this.#parts.ledger.state.settings;
    return { text, language: language ?? usualLanguage, voice: voice ?? usualVoice, rate: 1 };
  }

  #foundFor({ text, language, voice }: SpeechRequest): Recording | null {
    const { recordings } = this.#parts.ledger.state;
    const wanted = { speech_language: language, speech_voice: voice };
    return spokenRecordingOf(recordings.values(), text, wanted)?.recording ?? null;
  }

  /** How a recording of its text differs from what is asked for. */
  #changesFor({ speech }: Recording, { language, voice }: SpeechRequest): readonly SpeechChange[] {
    invariant(speech !== null, 'what was found by its text was spoken');
    const wanted = { speech_language: language, speech_voice: voice };
    return speechChanges({ ...speech, automatic: true }, wanted, this.#keyNow(speech));
  }

  /** What callers do not hear of a text, as far as is known without trying. */
  #troubleOf(request: SpeechRequest): {
    readonly problem: SpeechProblem | null;
    readonly unreadable: readonly string[];
  } {
    const read = readSpokenText(request.text, request.language, this.#pronunciationsNow());
    const isHeard = this.#foundFor(request) !== null;
    if (!read.ok) return { problem: isHeard ? null : read.refusal, unreadable: [] };
    const { unreadable } = read.value;
    if (isHeard) return { problem: null, unreadable };
    const known = this.#failed.get(request.text);
    if (known !== undefined) return { problem: known, unreadable };
    return { problem: voiceFor(request, this.#voices ?? []) === null ? noVoice(request) : null, unreadable };
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
