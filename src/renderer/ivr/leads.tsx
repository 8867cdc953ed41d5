import type { Ivr } from '../../contract/ivr.ts';
import { menuPath } from '../kit/address.ts';
import { Link } from '../kit/link.tsx';
import styles from './leads.module.css';
import { referenceWords } from './reference-words.ts';

/** Where something of a menu leads; a link where that is another menu of this service. */
export function Leads({ to, menus }: { to: string; menus: readonly Ivr[] }) {
  const { words, menuId } = referenceWords(to, menus);
  if (menuId === undefined) return <span title={to}>{words}</span>;
  return (
    <Link to={menuPath(menuId)} className={styles['menu']}>
      {words}
    </Link>
  );
}
