import type { Ivr } from '../../contract/ivr.ts';
import { Card } from '../kit/card.tsx';
import styles from './keypad.module.css';
import { Leads } from './leads.tsx';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const spoken: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

/** The keys of a telephone, each with where it leads in this menu. */
export function Keypad({ menu, menus }: { menu: Ivr; menus: readonly Ivr[] }) {
  return (
    <Card title="Keys" aside={menu.option.length === 1 ? '1 in use' : `${menu.option.length} in use`}>
      <ul className={styles['keypad']}>
        {keys.map((key) => {
          const place = menu.option.indexOf(key);
          const destination = place < 0 ? undefined : menu.destination[place];
          const smsTemplate = place < 0 ? undefined : menu.sms_template?.[place];
          return (
            <li key={key} className={styles['key']} data-used={destination !== undefined}>
              <span className={styles['digit']} aria-label={`Key ${spoken[key] ?? key}`} role="img">
                {key}
              </span>
              <span className={styles['leads']}>
                {destination === undefined ? (
                  <span className={styles['unused']}>not used</span>
                ) : (
                  <Leads to={destination} menus={menus} />
                )}
              </span>
              {smsTemplate === undefined ? null : (
                <span className={styles['sms']}>SMS template {smsTemplate}</span>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
