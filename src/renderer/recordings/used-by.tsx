import type { RecordingUse } from '../../contract/recording.ts';
import { placesOfUse } from './places-of-use.ts';
import styles from './used-by.module.css';

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
