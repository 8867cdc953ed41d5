import type { RecordingUse } from '../../contract/recording.ts';
import { menuPath } from '../kit/address.ts';
import styles from './recordings.module.css';

/** Where a recording is played, with the way there. The phone menus have a window of their own. */
export function UsedBy({ uses }: { uses: readonly RecordingUse[] }) {
  if (uses.length === 0) return <p className={styles['uses']}>Not played anywhere yet</p>;
  return (
    <div className={styles['uses']}>
      <span>Played in </span>
      <PlaceLinks uses={uses} />
    </div>
  );
}

/** The places one after the other, each a link. */
export function PlaceLinks({ uses }: { uses: readonly RecordingUse[] }) {
  return (
    <ul className={styles['places']}>
      {placesOfUse(uses).map(({ key, path, name, words }) => (
        <li key={key} className={styles['place']}>
          <a href={path} target="rotavox-ivr" className={styles['link']}>
            {name}
          </a>{' '}
          ({words})
        </li>
      ))}
    </ul>
  );
}

/** What a menu does while a recording is played, by the field of the body that names it. */
const fieldWords: Readonly<Record<string, string>> = {
  recording: 'its prompt',
  invalid_recording: 'after a wrong key',
  timeout_retry_recording: 'after silence, before a retry',
  timeout_recording: 'after the last silence',
};

/** Where a recording is played, one place for each menu or draft, with everything that it is played for there. */
export interface UsePlace {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** Such as `draft, its prompt and after a wrong key`. */
  readonly words: string;
}

export function placesOfUse(uses: readonly RecordingUse[]): readonly UsePlace[] {
  const byPlace = Map.groupBy(uses, ({ kind, id }) => `${kind} ${id}`);
  return [...byPlace].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const fields = [...new Set([first, ...others].map(({ field }) => wordsOf(field)))];
    const played = new Intl.ListFormat('en').format(fields);
    return [
      {
        key,
        path: first.kind === 'draft' ? `/ivr/drafts/${encodeURIComponent(first.id)}` : menuPath(first.id),
        name: first.name,
        words: first.kind === 'draft' ? `draft, ${played}` : played,
      },
    ];
  });
}

/** A draft's fields may stand behind a path to the menu: the last part is the body's own name. */
function wordsOf(field: string): string {
  return fieldWords[field.split('.').at(-1) ?? field] ?? field;
}
