import type { SpeechProblem, Voice, VoiceId } from '../../contract/menu/speech.ts';
import { appliedPronunciations, covers, type Pronunciation } from './pronunciation.ts';
import type { SpeechRequest } from './speaker.ts';

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
