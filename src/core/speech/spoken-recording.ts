import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { Recording } from '../../contract/menu/recording.ts';
import type { Settings } from '../../contract/service/settings.ts';

/** How the texts of menus are spoken. */
export type SpokenAs = Pick<Settings, 'speech_language' | 'speech_voice'>;

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

export interface SpokenRecording<One> {
  readonly recording: One;
  /** False: it has another language or another voice than texts are spoken with now. */
  readonly isAsWanted: boolean;
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
): SpokenRecording<One> | null {
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
  return best === null ? null : { recording: best, isAsWanted: bestRank === asWanted };
}

/** What callers hear for a prompt as menus write it: its recording, or that of its text. Null: no recording that is here. */
export function recordingOfPrompt<One extends Pick<Recording, 'id' | 'speech' | 'created_at'>>(
  recordings: readonly One[],
  prompt: string,
  wanted: SpokenAs,
): One | null {
  const text = spokenTextOf(prompt);
  if (text !== null) return spokenRecordingOf(recordings, text, wanted)?.recording ?? null;
  const reference = readReference(prompt);
  if (reference?.type !== 'recording') return null;
  return recordings.find(({ id }) => String(id) === reference.id) ?? null;
}

const asWanted = 2;

function rankOf(
  { language, voice }: NonNullable<Recording['speech']>,
  { speech_language: wantedLanguage, speech_voice: wantedVoice }: SpokenAs,
): number {
  if (language !== wantedLanguage) return 0;
  return wantedVoice === null || wantedVoice === voice ? asWanted : 1;
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
