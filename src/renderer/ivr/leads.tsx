import type { Ivr } from '../../contract/ivr.ts';
import { referenceTitle } from '../../core/ivr/reference-words.ts';
import { readReference } from '../../core/ivr/reference.ts';
import { menuPath } from '../kit/address.ts';
import { Link } from '../kit/link.tsx';
import styles from './leads.module.css';

/** Where something of a menu leads; a link where that is another menu of this service. */
export function Leads({ to, menus }: { to: string; menus: readonly Ivr[] }) {
  const menu = storedMenu(to, menus);
  if (menu === undefined) return <span title={to}>{referenceTitle(to)}</span>;
  return (
    <Link to={menuPath(menu.id)} className={styles['menu']}>
      {menu.name}
    </Link>
  );
}

/** The menu of this service that a destination is. */
function storedMenu(destination: string, menus: readonly Ivr[]): Ivr | undefined {
  const reference = readReference(destination);
  return reference?.type === 'ivr' ? menus.find(({ id }) => id === reference.id) : undefined;
}
