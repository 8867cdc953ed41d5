import pLimit from 'p-limit';
import type { SilentPrompt } from '../contract/calls/pbx.ts';
import type { AuditEvent } from '../contract/history/audit-event.ts';
import type { IvrBody, IvrWarning } from '../contract/menu/ivr.ts';
import type {
  CheckTexts,
  Recording,
  SpeakAgain,
  SpeakRecording,
  SpeakText,
  SpokenPrompt,
} from '../contract/menu/recording.ts';
import type { FlowSpeech, SpeechChange, SpeechProblem, Voice } from '../contract/menu/speech.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import {
  findRecording,
  keepRecording,
  playingFields,
  type RecordingRefusal,
  storedPrompts,
} from '../core/recording/change-recording.ts';
import { refused, type Result } from '../core/result.ts';
import type { SpeechRequest, SpokenAudio } from '../core/speech/speaker.ts';
import { noVoice, requestAgain, speechChanges, voiceFor } from '../core/speech/speech-request.ts';
import { type HeardPrompt, spokenTextOf } from '../core/speech/spoken-recording.ts';
import { readSpokenText } from '../core/speech/spoken-text.ts';
import { invariant } from '../core/unreachable.ts';
import { unreadableWarning, unspokenWarning } from '../text/menu/speech-text.ts';
import { SpeechRecorder, type SpeechRecorderParts } from './speech-recorder.ts';
import { nameOf, WantedSpeech, type WantedText } from './wanted-speech.ts';

export interface SpokenPromptsParts extends SpeechRecorderParts {
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
  readonly #wanted: WantedSpeech;
  readonly #recorder: SpeechRecorder;
  readonly #oneByOne = pLimit(1);
  readonly #ending = new AbortController();
  readonly #unsubscribe: () => void;
  /** What could not be spoken, and why: it is not tried again in the background. */
  readonly #failed = new Map<string, SpeechProblem>();
  /** Null until they were asked for. */
  #voices: readonly Voice[] | null = null;
  #isLooking = false;

  constructor(parts: SpokenPromptsParts) {
    this.#parts = parts;
    this.#wanted = new WantedSpeech(parts.ledger);
    this.#recorder = new SpeechRecorder(parts, this.#ending.signal);
    this.#unsubscribe = parts.ledger.subscribe((event) => this.#note(event));
  }

  /** The texts of prompts that have no recording as callers should hear them, each once. */
  missingOf(prompts: Iterable<HeardPrompt>): readonly WantedText[] {
    return this.#wanted.missingOf(prompts);
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
    return this.#recorder.make(this.#wanted.requestOf(asked), signal);
  }

  /** A recording of a text: the one that there is, or a new one. */
  speak({ name, ...asked }: SpeakRecording): Promise<Outcome> {
    const request = this.#wanted.requestOf(asked);
    return this.#oneByOne(async () => {
      const found = this.#wanted.foundFor(request);
      if (found === null || this.#changesFor(found, request).length > 0)
        return this.#recorder.add(request, { name, isAutomatic: false });
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
      const usual = requestAgain(speech, this.#wanted.usualOf(speech));
      const { language = usual.language, voice = wanted.language === undefined ? usual.voice : null } =
        wanted;
      return this.#recorder.replace(found.value, { ...usual, language, voice }, signal);
    });
  }

  /** What would be different if a recording was spoken again now. */
  changesOf({ speech }: Recording): readonly SpeechChange[] {
    return speech === null
      ? []
      : speechChanges(speech, this.#wanted.usualOf(speech), this.#recorder.keyNow(speech));
  }

  /** What callers would hear of texts that need not be stored anywhere. */
  checkTexts({ texts, ...asked }: CheckTexts): Promise<SpokenPrompt[]> {
    let voices: Promise<readonly Voice[]> | undefined;
    const ask = () => (voices ??= this.voices());
    const isOwn = asked.language !== undefined || asked.voice !== undefined;
    return Promise.all(
      texts.map((text) => this.#checked(this.#wanted.requestOf({ ...asked, text }), isOwn, ask)),
    );
  }

  /** What callers do not hear of the texts of a menu, as far as is known without speaking them (`voices` asks for the voices that there are). */
  warningsFor(
    body: IvrBody,
    speech: FlowSpeech | undefined,
    problems: ReadonlyMap<string, SpeechProblem> = new Map(),
  ): IvrWarning[] {
    return playingFields.flatMap((field): IvrWarning[] => {
      const text = spokenTextOf(body[field]);
      if (text === null) return [];
      const { problem: known, unreadable } = this.#troubleOf(this.#wanted.requestFor({ text, speech }));
      const problem = problems.get(text) ?? known;
      if (problem !== null) return [{ field, message: unspokenWarning(problem) }];
      return unreadable.length === 0 ? [] : [{ field, message: unreadableWarning(unreadable) }];
    });
  }

  /** What callers hear of these texts; unless `isCheck`, speech is made of those that have none or another than is wanted. */
  async speakTexts(
    texts: readonly WantedText[],
    { isCheck, signal }: { readonly isCheck: boolean; readonly signal?: AbortSignal },
  ): Promise<SpokenPrompt[]> {
    const spoken: SpokenPrompt[] = [];
    for (const wanted of texts)
      spoken.push(await this.#oneByOne(() => this.#speakText(wanted, { isCheck, signal })));
    return spoken;
  }

  /** Makes what is missing for a menu that is about to be stored. Returns why texts were not spoken. */
  async speakMissing(prompts: Iterable<HeardPrompt>): Promise<ReadonlyMap<string, SpeechProblem>> {
    const problems = new Map<string, SpeechProblem>();
    const signal = AbortSignal.timeout(publishingMs);
    for (const wanted of this.#wanted.missingOf(prompts)) {
      try {
        const { problem } = await this.#oneByOne(() => this.#speakText(wanted, { isCheck: false, signal }));
        if (problem !== null) problems.set(wanted.text, problem);
      } catch (error) {
        // What is left is spoken in the background. Where the audio cannot be stored, the menu cannot be either, and that is said.
        if (signal.aborted || error instanceof StoreUnavailable) break;
        throw error;
      }
    }
    return problems;
  }

  /** Without the texts that are spoken when their menu is stored, and with the reason for the others. */
  async explain<One extends SilentPrompt>(
    silent: readonly One[],
    speechOf: (one: One) => FlowSpeech | undefined,
  ): Promise<One[]> {
    const problems = await Promise.all(
      silent.map(async (one) => {
        const { prompt, reason } = one;
        const text = reason === 'not_speech' ? spokenTextOf(prompt) : null;
        if (text === null) return undefined;
        await this.voices();
        return this.#troubleOf(this.#wanted.requestFor({ text, speech: speechOf(one) })).problem;
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

  /** Aborts what is being spoken, so that nobody waits for it at the end. Who asked for it is refused as by a closed store, which is no failure. */
  giveUp(): void {
    this.#ending.abort(new StoreUnavailable({ code: 'CLOSED', path: 'speech' }));
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.giveUp();
    this.#oneByOne.clearQueue();
    await this.#parts.speaker?.close();
  }

  #note({ kind, data }: AuditEvent): void {
    this.#wanted.note(kind);
    if (kind === 'settings.changed') {
      const { speech_language: language, speech_voice: voice } = data.settings;
      if (language === undefined && voice === undefined) return;
      this.#failed.clear();
    } else if (kind === 'ivr.created' || kind === 'ivr.updated') {
      const { ivr } = data;
      const missing = this.#wanted.missingOf(
        playingFields.map((field) => ({ prompt: ivr[field], speech: ivr.speech })),
      );
      if (missing.length === 0) return;
      // Whoever stores a menu again may try again.
      for (const wanted of missing) this.#failed.delete(nameOf(this.#wanted.requestFor(wanted)));
    } else if (kind === 'pronunciations.changed') {
      this.#recorder.notePronunciations();
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
      const [wanted] = this.#missingInMenus();
      if (wanted === undefined || this.#isEnding()) {
        this.#isLooking = false;
        return;
      }
      try {
        const { problem } = await this.#oneByOne(() => this.#speakText(wanted, { isCheck: false }));
        if (problem === null) continue;
        this.#parts.onUnspoken(wanted.text, problem);
        const { language, voice } = this.#wanted.requestFor(wanted);
        if (problem.kind === 'no_voice')
          for (const other of this.#missingInMenus().map((one) => this.#wanted.requestFor(one)))
            if (other.language === language && other.voice === voice)
              this.#failed.set(nameOf(other), problem);
      } catch (error) {
        this.#isLooking = false;
        // The disk is full, for example: the next change of a menu tries again.
        if (!this.#isEnding()) this.#parts.onFailure(error);
        return;
      }
    }
  }

  /** Texts of stored menus that no recording was spoken of, without those that cannot be spoken. */
  #missingInMenus(): WantedText[] {
    return this.#wanted
      .missingOf(storedPrompts(this.#parts.ledger.state))
      .filter((wanted) => !this.#failed.has(nameOf(this.#wanted.requestFor(wanted))));
  }

  async #speakText(
    wanted: WantedText,
    { isCheck, signal }: { readonly isCheck: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<SpokenPrompt> {
    const request = this.#wanted.requestFor(wanted);
    const isOwn = wanted.speech !== undefined;
    const before = await this.#checked(request, isOwn);
    if (isCheck || before.state === 'spoken') return before;
    const found = this.#wanted.foundFor(request);
    // What only says a word in another way stays the recording that it is; another voice is another recording of a person.
    const isSameVoice = before.changed.every((change) => change === 'pronunciation');
    const isOurs = found !== null && !this.#wanted.isForOthers(found, request);
    const made = await (isOurs && (found.speech?.automatic === true || isSameVoice)
      ? this.#recorder.replace(found, request, signal)
      : this.#recorder.add(request, { isAutomatic: true }, signal));
    if (made.ok) return { ...(await this.#checked(request, isOwn)), made: true };
    const { found: problem } = made.refusal;
    if (problem.kind === 'not_stored') throw new StoreUnavailable(problem.refusal);
    invariant(problem.kind === 'not_spoken', `speech is stored or refused, not ${problem.kind}`);
    this.#failed.set(nameOf(request), problem.problem);
    return { ...before, problem: problem.problem };
  }

  /**
   * What callers hear of a text, and what they would hear. `isOwn`: its call flow says how it is spoken. Where the settings say it, a
   * recording that a person made in another language is the one that callers should hear, as the designer has it.
   */
  async #checked(request: SpeechRequest, isOwn: boolean, ask = () => this.voices()): Promise<SpokenPrompt> {
    const { text } = request;
    const found = this.#wanted.foundFor(request);
    const isStrict = found !== null && (isOwn || this.#wanted.isForOthers(found, request));
    const changed = found === null ? [] : this.#changesFor(found, request, isStrict);
    const speech = found?.speech ?? null;
    const isSpoken = found !== null && changed.length === 0;
    const unspoken = found === null ? 'missing' : 'changed';
    // What is spoken needs no voice, and nothing is asked of the speaker.
    const voice = speech === null ? voiceFor(request, await ask()) : null;
    if (!isSpoken && speech !== null) await ask();
    const { problem, unreadable } = this.#troubleOf(request);
    return {
      text,
      state: isSpoken ? 'spoken' : unspoken,
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

  /** How a recording of its text differs from what is asked for. Unless `isStrict`, one of a person may have another language. */
  #changesFor(
    { speech }: Recording,
    { language, voice }: SpeechRequest,
    isStrict = true,
  ): readonly SpeechChange[] {
    invariant(speech !== null, 'what was found by its text was spoken');
    const wanted = { speech_language: language, speech_voice: voice };
    const automatic = isStrict || speech.automatic;
    return speechChanges({ ...speech, automatic }, wanted, this.#recorder.keyNow(speech));
  }

  /** What callers do not hear of a text, as far as is known without trying. */
  #troubleOf(request: SpeechRequest): {
    readonly problem: SpeechProblem | null;
    readonly unreadable: readonly string[];
  } {
    const read = readSpokenText(request.text, request.language, this.#recorder.pronunciations());
    const isHeard = this.#wanted.foundFor(request) !== null;
    if (!read.ok) return { problem: isHeard ? null : read.refusal, unreadable: [] };
    const { unreadable } = read.value;
    if (isHeard) return { problem: null, unreadable };
    const known = this.#failed.get(nameOf(request));
    if (known !== undefined) return { problem: known, unreadable };
    return { problem: voiceFor(request, this.#voices ?? []) === null ? noVoice(request) : null, unreadable };
  }
}
