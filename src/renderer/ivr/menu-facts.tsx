import type { Ivr } from '../../contract/ivr.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Moment } from '../kit/moment.tsx';
import styles from './menu-facts.module.css';

/** What there is to know of a menu besides what it does. */
export function MenuFacts({ menu: { id, description, version, updated_at } }: { menu: Ivr }) {
  return (
    <>
      {description.trim() === '' ? null : <p className={styles['description']}>{description}</p>}
      <div className={styles['facts']}>
        <span>
          Version {version}, stored <Moment at={updated_at} />
        </span>
        <span className={styles['id']}>
          <code>{id}</code>
          <CopyButton text={id} what="the menu's id" />
        </span>
      </div>
    </>
  );
}
