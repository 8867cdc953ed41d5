import type { RecordingView } from '../../../../contract/recording.ts';
import { readReference } from '../../../../core/ivr/reference.ts';

/** How long a prompt is taken to be of which nothing is known, in milliseconds. */
const unknownMs = 3_000;
/** A calm voice: about 15 characters a second, and never less than a second. */
const characterMs = 65;
const leastMs = 1_000;

/** How long a text is spoken, about. */
export function spokenMs(text: string): number {
  return Math.max(leastMs, text.length * characterMs);
}

/** How long a prompt plays: as its file tells, as its text is long, or a guess. */
export function promptMs(prompt: string, recordings: readonly RecordingView[]): number {
  const reference = readReference(prompt);
  if (reference === null) return unknownMs;
  if (reference.type === 'outbound_tts') return spokenMs(reference.id);
  return recordings.find(({ id }) => String(id) === reference.id)?.duration_ms ?? unknownMs;
}
