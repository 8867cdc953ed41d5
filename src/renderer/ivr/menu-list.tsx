import type { Ivr } from '../../contract/ivr.ts';
import { menuPath } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { Link } from '../kit/link.tsx';
import { Moment } from '../kit/moment.tsx';
import styles from './menu-list.module.css';

/** The phone menus, each with its keys and when it was changed. */
export function MenuList({ menus }: { menus: readonly Ivr[] }) {
  return (
    <Card title="Stored menus" aside={menus.length.toLocaleString()}>
      <ul>
        {menus.map((menu) => (
          <li key={menu.id} className={styles['menu']}>
            <div className={styles['words']}>
              <Link to={menuPath(menu.id)} className={styles['name']}>
                {menu.name}
              </Link>
              {menu.description.trim() === '' ? null : (
                <p className={styles['description']}>{menu.description}</p>
              )}
            </div>
            <p className={styles['keys']}>
              <span className={styles['spoken']}>Keys </span>
              {menu.option.map((key) => (
                <kbd key={key} className={styles['key']}>
                  {key}
                </kbd>
              ))}
            </p>
            <p className={styles['version']}>
              Version {menu.version}, <Moment at={menu.updated_at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
