import type { RecordingView } from '../../../../contract/recording.ts';

/** What is known of a recording by its id: its name and length; null where it is not here, which the checks say. */
export function recordingWords(id: string, recordings: readonly RecordingView[]): string | null {
  const recording = recordings.find((known) => String(known.id) === id);
  if (recording === undefined) return null;
  const { name, duration_ms: durationMs } = recording;
  return durationMs === null ? name : `${name}, ${lengthWords(durationMs)}`;
}

/** “0:07”. */
function lengthWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
