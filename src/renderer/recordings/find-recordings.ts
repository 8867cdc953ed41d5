import type { RecordingView } from '../../contract/recording.ts';

/** The recordings that have every word somewhere: in the name, the id, the format, or where they are played. */
export function findRecordings(recordings: readonly RecordingView[], text: string): readonly RecordingView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return recordings;
  return recordings.filter(({ name, id, format, used_by: uses }) => {
    const all = [name, `recording||${id}`, format, ...uses.map((use) => use.name)].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
