import type { Ivr } from '../../contract/ivr.ts';
import { Card } from '../kit/card.tsx';
import { Moment } from '../kit/moment.tsx';
import { changedFields } from './request-body.ts';
import styles from './versions-card.module.css';

/** Every version of a menu with what it changed, newest first; each can be looked at. */
export function VersionsCard({
  versions,
  shown,
  onShow,
}: {
  versions: readonly Ivr[];
  shown: number;
  onShow: (version: number) => void;
}) {
  return (
    <Card title="Versions" aside={versions.length.toLocaleString()}>
      <ol>
        {versions.map((menu, place) => (
          <li key={menu.version}>
            <button
              type="button"
              className={styles['version']}
              aria-pressed={menu.version === shown}
              onClick={() => onShow(menu.version)}
            >
              <span className={styles['number']}>Version {menu.version}</span>
              <span className={styles['change']}>{changeWords(versions[place + 1], menu)}</span>
              <span className={styles['when']}>
                <Moment at={menu.updated_at} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function changeWords(before: Ivr | undefined, menu: Ivr): string {
  if (before === undefined) return menu.version === 1 ? 'created' : '';
  const fields = changedFields(before, menu);
  return fields.length === 0 ? 'stored again, unchanged' : fields.join(', ');
}
