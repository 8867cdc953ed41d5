import { refused, type Result } from '../result.ts';
import type { AudioFacts } from './audio-facts.ts';
import { readMp3 } from './read-mp3.ts';
import { readOgg } from './read-ogg.ts';
import { readWav } from './read-wav.ts';
import { whatItIs } from './what-it-is.ts';

/**
 * What an upload is, read from its content; or a sentence that says what it is instead.
 *
 * Names and Content-Types are chosen by whoever sends it. Three headers are read here rather than by a library: those that
 * know a hundred formats would take in, and parse, what we refuse.
 */
export function readAudio(bytes: Uint8Array): Result<AudioFacts, string> {
  const read = readWav(bytes) ?? readOgg(bytes) ?? readMp3(bytes) ?? refused(whatItIs(bytes));
  if (read.ok) return read;
  return refused(`This is ${read.refusal}. Bring a WAV, MP3 or Ogg (Vorbis or Opus) file.`);
}
