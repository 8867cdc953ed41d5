import type { RecordingView } from '../../../../contract/recording.ts';
import { lengthText } from '../../../../text/time.ts';

/** What is known of a recording by its id: its name and length; null where it is not here, which the checks say. */
export function recordingWords(id: string, recordings: readonly RecordingView[]): string | null {
  const recording = recordings.find((known) => String(known.id) === id);
  if (recording === undefined) return null;
  const { name, duration_ms: durationMs } = recording;
  return durationMs === null ? name : `${name}, ${lengthText(durationMs)}`;
}
