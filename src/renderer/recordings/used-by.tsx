import { Text } from '../kit/text.tsx';
import type { RecordingUse } from '../../contract/menu/recording.ts';
import { recordingText, usesText } from '../../text/menu/recordings-text.ts';
import { Link } from '../kit/link.tsx';
import { menuPath } from '../kit/window-paths.ts';
import linkStyles from '../kit/link.module.css';
import styles from './recordings.module.css';

/** Where a recording is played, with the way there. */
export function UsedBy({ uses }: { uses: readonly RecordingUse[] }) {
  if (uses.length === 0)
    return (
      <Text tone="soft" size="small" breaks>
        {recordingText.unused}
      </Text>
    );
  return (
    <Text as="div" tone="soft" size="small" breaks>
      <span>{recordingText.playedIn} </span>
      <PlaceLinks uses={uses} />
    </Text>
  );
}

/** The places one after the other, each a link. */
export function PlaceLinks({ uses }: { uses: readonly RecordingUse[] }) {
  return (
    <ul className={styles['places']}>
      {placesOfUse(uses).map(({ key, path, name, text }) => (
        <li key={key}>
          <Link to={path} className={linkStyles['link']}>
            <bdi>{name}</bdi>
          </Link>{' '}
          ({text})
        </li>
      ))}
    </ul>
  );
}

/** Where a recording is played, one place for each menu or draft, with everything that it is played for there. */
export interface UsePlace {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** What it is played for there. */
  readonly text: string;
}

export function placesOfUse(uses: readonly RecordingUse[]): readonly UsePlace[] {
  const byPlace = Map.groupBy(uses, ({ kind, id }) => `${kind} ${id}`);
  return [...byPlace].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    return [
      {
        key,
        path: first.kind === 'draft' ? `/ivr/drafts/${encodeURIComponent(first.id)}` : menuPath(first.id),
        name: first.name,
        text: usesText(
          first.kind,
          [first, ...others].map(({ field }) => field),
        ),
      },
    ];
  });
}
