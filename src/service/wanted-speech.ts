import { draftPrompts, storedPrompts } from '../core/recording/change-recording.ts';
import type { Recording, SpeakText } from '../contract/menu/recording.ts';
import type { FlowSpeech, RecordingSpeech } from '../contract/menu/speech.ts';
import type { Ledger } from '../core/ledger.ts';
import type { SpeechRequest } from '../core/speech/speaker.ts';
import {
  type HeardPrompt,
  type SpokenAs,
  spokenAsOf,
  spokenPrompts,
  spokenRecordingOf,
} from '../core/speech/spoken-recording.ts';

/** A text of a menu, and how its call flow is spoken; absent: as the settings have it. */
export interface WantedText {
  readonly text: string;
  readonly speech?: FlowSpeech | undefined;
}

/** What menus and drafts want to be spoken, each in its way, and which recordings there are for it. */
export class WantedSpeech {
  readonly #ledger: Ledger;
  /** What stored menus and drafts want, by text; null: it may be different now. */
  #wanted: ReadonlyMap<string, readonly SpeechRequest[]> | null = null;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** An event may change what is wanted. */
  note(kind: string): void {
    if (/^(?:ivr|draft|settings)\./.test(kind)) this.#wanted = null;
  }

  /** The texts of prompts that have no recording as callers should hear them, each once. */
  missingOf(prompts: Iterable<HeardPrompt>): readonly WantedText[] {
    const byText = Map.groupBy(this.#ledger.state.recordings.values(), ({ speech }) => speech?.text ?? null);
    return spokenPrompts(prompts).filter((one) => this.#isMissing(one, byText.get(one.text) ?? []));
  }

  /** Whether a call flow has to get a recording of its own, for callers would hear another language, another voice, or nothing. */
  #isMissing(wanted: WantedText, recordings: readonly Recording[]): boolean {
    const request = this.requestFor(wanted);
    const as = { speech_language: request.language, speech_voice: request.voice };
    const found = spokenRecordingOf(recordings, wanted.text, as);
    if (found === null) return true;
    if (isAsAsked(found.speech, request)) return false;
    // What the settings say changes no menu before it is spoken again, but a recording that another call flow needs is not one for all.
    return wanted.speech !== undefined || this.isForOthers(found, request);
  }

  /** Whether another call flow wants a recording exactly as it is, and in another way than this one. */
  isForOthers({ speech }: Recording, request: SpeechRequest): boolean {
    const others = this.#wantedNow().get(request.text) ?? [];
    return others.some((one) => nameOf(one) !== nameOf(request) && isAsAsked(speech, one));
  }

  #wantedNow(): ReadonlyMap<string, readonly SpeechRequest[]> {
    const { state } = this.#ledger;
    this.#wanted ??= Map.groupBy(
      spokenPrompts([...storedPrompts(state), ...draftPrompts(state)]).map((one) => this.requestFor(one)),
      ({ text }) => text,
    );
    return this.#wanted;
  }

  /** How a text is spoken again: as a call flow wants that it was spoken for, otherwise as the settings have it. */
  usualOf(speech: RecordingSpeech): SpokenAs {
    const { settings } = this.#ledger.state;
    const wanted = this.#wantedNow().get(speech.text) ?? [];
    const found =
      wanted.find((one) => isAsAsked(speech, one)) ??
      wanted.find(({ language }) => language === speech.language);
    return found === undefined ? settings : { speech_language: found.language, speech_voice: found.voice };
  }

  /** With the language and the voice of the settings, where it has none of its own. */
  requestOf({ text, language, voice, as_it_is: asItIs }: SpeakText): SpeechRequest {
    const { speech_language: usualLanguage, speech_voice: usualVoice } = this.#ledger.state.settings;
    return {
      text,
      language: language ?? usualLanguage,
      voice: voice === undefined ? usualVoice : voice,
      rate: 1,
      ...(asItIs === undefined ? {} : { asItIs }),
    };
  }

  requestFor({ text, speech }: WantedText): SpeechRequest {
    const as = spokenAsOf(this.#ledger.state.settings, speech);
    return { text, language: as.speech_language, voice: as.speech_voice, rate: 1 };
  }

  foundFor({ text, language, voice }: SpeechRequest): Recording | null {
    const { recordings } = this.#ledger.state;
    const wanted = { speech_language: language, speech_voice: voice };
    return spokenRecordingOf(recordings.values(), text, wanted);
  }
}

/** What tells one request from another. */
export function nameOf({ text, language, voice }: SpeechRequest): string {
  return JSON.stringify([text, language, voice]);
}

function isAsAsked(speech: RecordingSpeech | null, { language, voice }: SpeechRequest): boolean {
  return speech?.language === language && (voice === null || speech.voice === voice);
}
