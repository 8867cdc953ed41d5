import type { RecordingView } from '../../contract/recording.ts';
import { havingWords } from '../kit/having-words.ts';

/** The recordings that have every word somewhere: in the name, the id, the format, or where they are played. */
export function findRecordings(
  recordings: readonly RecordingView[],
  sought: string,
): readonly RecordingView[] {
  return havingWords(recordings, sought, ({ name, id, format, used_by: uses }) =>
    [name, `recording||${id}`, format, ...uses.map((use) => use.name)].join('\n'),
  );
}
