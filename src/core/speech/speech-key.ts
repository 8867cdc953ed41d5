import type { VoiceId } from '../../contract/menu/speech.ts';
import { appliedPronunciations, type Pronunciation } from './pronunciation.ts';
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
