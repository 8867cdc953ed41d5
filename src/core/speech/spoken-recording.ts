import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { Recording, SpeakText } from '../../contract/menu/recording.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import type { Settings } from '../../contract/service/settings.ts';

/** How the texts of menus are spoken. */
export type SpokenAs = Pick<Settings, 'speech_language' | 'speech_voice'> & {
  /** Whether the call flow says it, and not the settings. */
  readonly isOwn?: boolean;
};

/** What asks for the speech of a text as it is spoken there. */
export function speakTextAs(text: string, { speech_language, speech_voice, isOwn }: SpokenAs): SpeakText {
  return isOwn === true ? { text, language: speech_language, voice: speech_voice } : { text };
}

/** A prompt as a menu writes it, and how the texts of its call flow are spoken; absent: as the settings have it. */
export interface HeardPrompt {
  readonly prompt: string;
  readonly speech: FlowSpeech | undefined;
}

/** How the texts of a call flow are spoken: as it says itself, otherwise as the settings have it. */
export function spokenAsOf(usual: SpokenAs, speech: FlowSpeech | undefined): SpokenAs {
  if (speech === undefined) return usual;
  return { speech_language: speech.language, speech_voice: speech.voice, isOwn: true };
}

/** The text of a prompt that is spoken, as menus write it (`outbound_tts||Good morning`); null for any other prompt. */
export function spokenTextOf(prompt: string): string | null {
  const reference = readReference(prompt);
  return reference?.type === 'outbound_tts' ? reference.id : null;
}

/** The texts among prompts as menus write them, each once and in their order. */
export function spokenTexts(prompts: Iterable<string>): string[] {
  const texts = Array.from(prompts, spokenTextOf);
  return [...new Set(texts.filter((text) => text !== null && text !== ''))] as string[];
}

/** The same with how each is spoken: once for each way. */
export function spokenPrompts(
  prompts: Iterable<HeardPrompt>,
): { readonly text: string; readonly speech: FlowSpeech | undefined }[] {
  const found = new Map<string, { text: string; speech: FlowSpeech | undefined }>();
  for (const { prompt, speech } of prompts) {
    const text = spokenTextOf(prompt);
    if (text !== null && text !== '') found.set(JSON.stringify([text, speech]), { text, speech });
  }
  return [...found.values()];
}

/**
 * The recording that callers hear for a text: the one rule for calls, windows, exports and lists of what is played.
 *
 * One with the wanted language and voice comes first, then one with the language. One with neither is better than silence: a changed
 * setting must not silence a menu before its texts are spoken again. Of several, the oldest stays.
 */
export function spokenRecordingOf<One extends Pick<Recording, 'speech' | 'created_at'>>(
  recordings: Iterable<One>,
  text: string,
  wanted: SpokenAs,
): One | null {
  let best: One | null = null;
  let bestRank = -1;
  for (const recording of recordings) {
    if (recording.speech?.text !== text) continue;
    const rank = rankOf(recording.speech, wanted);
    const isOlder = best !== null && rank === bestRank && recording.created_at < best.created_at;
    if (rank <= bestRank && !isOlder) continue;
    best = recording;
    bestRank = rank;
  }
  return best;
}

/** What callers hear for a prompt as menus write it: its recording, or that of its text. Null: no recording that is here. */
export function recordingOfPrompt<One extends Pick<Recording, 'id' | 'speech' | 'created_at'>>(
  recordings: readonly One[],
  prompt: string,
  wanted: SpokenAs,
): One | null {
  const text = spokenTextOf(prompt);
  if (text !== null) return spokenRecordingOf(recordings, text, wanted);
  const reference = readReference(prompt);
  if (reference?.type !== 'recording') return null;
  return recordings.find(({ id }) => String(id) === reference.id) ?? null;
}

/** The same once the call flow is published: a text that it wants to be spoken in its own way is spoken then. */
export function recordingOfDraft<One extends Pick<Recording, 'id' | 'speech' | 'created_at'>>(
  recordings: readonly One[],
  prompt: string,
  wanted: SpokenAs,
): One | null {
  const found = recordingOfPrompt(recordings, prompt, wanted);
  const isOther = wanted.isOwn === true && spokenTextOf(prompt) !== null;
  return found?.speech && isOther && rankOf(found.speech, wanted) < asWanted ? null : found;
}

const asWanted = 2;

function rankOf(
  { language, voice }: NonNullable<Recording['speech']>,
  { speech_language: wantedLanguage, speech_voice: wantedVoice }: SpokenAs,
): number {
  if (language !== wantedLanguage) return 0;
  return wantedVoice === null || wantedVoice === voice ? 2 : 1;
}

const longestName = 60;

/** A recording is called as its text begins. */
export function nameOfSpeech(text: string): string {
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
