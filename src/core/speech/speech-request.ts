import type {
  Pronunciation,
  RecordingSpeech,
  SpeechChange,
  SpeechProblem,
  Voice,
  VoiceId,
} from '../../contract/menu/speech.ts';
import { appliedPronunciations, covers } from './pronunciation.ts';
import type { SpeechRequest } from './speaker.ts';
import type { SpokenAs } from './spoken-recording.ts';

/**
 * What the key of a speech is the SHA-256 of: everything that was asked for and can be heard. The same text in, the same key out, on
 * every machine.
 *
 * The version of the engine is not in it: an update must not change how menus sound. Callers hash it, for the core has no hash
 * function: `createHash('sha256').update(speechKeySource(…)).digest('hex')`.
 */
export function speechKeySource(
  { text, language, voice, rate }: SpeechRequest & { readonly voice: VoiceId },
  pronunciations: readonly Pronunciation[],
): string {
  const applied = appliedPronunciations(text, language, pronunciations);
  return JSON.stringify([text, language, voice, rate, applied.map(({ word, say }) => [word, say])]);
}

/**
 * The voice that was chosen; else the first of the language, else of the same language for all countries or another. Null: there is none.
 *
 * Voices are known in the order of their engines, the preferred one first.
 */
export function voiceFor<One extends Pick<Voice, 'id' | 'language' | 'personal_use_only'>>(
  { voice, language }: Pick<SpeechRequest, 'voice' | 'language'>,
  known: readonly One[],
): One | null {
  if (voice !== null) return known.find(({ id }) => id === voice) ?? null;
  const primary = language.split('-')[0] ?? language;
  const free = known.filter((one) => one.personal_use_only !== true);
  return (
    free.find((one) => one.language.toLowerCase() === language.toLowerCase()) ??
    free.find((one) => covers(primary, one.language)) ??
    null
  );
}

/** That there is none. */
export function noVoice({ voice, language }: Pick<SpeechRequest, 'voice' | 'language'>): SpeechProblem {
  return { kind: 'no_voice', language, ...(voice === null ? {} : { voice }) };
}

/**
 * What a speech would be asked for as now, if it was made again. What the program made follows the settings. What a person asked for
 * keeps a language that is not that of the settings: a Spanish text does not become English.
 */
export function requestAgain(
  { text, language, voice, rate, automatic }: Omit<RecordingSpeech, 'key' | 'made_at'>,
  { speech_language: usualLanguage, speech_voice: usualVoice }: SpokenAs,
): SpeechRequest {
  if (language === usualLanguage) return { text, language, voice: usualVoice ?? voice, rate };
  if (!automatic) return { text, language, voice, rate };
  return { text, language: usualLanguage, voice: usualVoice, rate };
}

/**
 * How a speech differs from what would be made now. `keyNow`: the key of what it is, with the pronunciations of now
 * (`speechKeySource`). The version of an engine is no difference.
 */
export function speechChanges(
  speech: RecordingSpeech,
  usual: SpokenAs,
  keyNow: string,
): readonly SpeechChange[] {
  const { language, voice } = requestAgain(speech, usual);
  return [
    ...(language === speech.language ? [] : (['language'] as const)),
    ...(voice === null || voice === speech.voice ? [] : (['voice'] as const)),
    ...(keyNow === speech.key ? [] : (['pronunciation'] as const)),
  ];
}
