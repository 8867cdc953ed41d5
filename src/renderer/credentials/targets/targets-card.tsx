import { useState } from 'react';

import type { CredentialView } from '../../../contract/credential-view.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Receipt } from './receipt.tsx';
import { TargetEditor } from './target-editor.tsx';
import styles from './targets-card.module.css';

/** Where every new value is brought, and whether each place has it. */
export function TargetsCard({ one }: { one: CredentialView }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title="Delivered to" aside={asideOf(one)}>
      <div className={styles['targets']}>
        {one.targets.length === 0 ? (
          <p className={styles['soft']}>
            Nowhere yet: programs have to ask for it. Add the places where programs read it, and every new
            value is brought there: a line of a dotenv file, a file, an entry of the keychain, or a command
            that is run with it.
          </p>
        ) : (
          <ul className={styles['receipts']} aria-label="Delivery targets">
            {one.targets.map((target) => (
              <Receipt key={target.id} one={one} target={target} />
            ))}
          </ul>
        )}
        <div>
          <Button onPress={() => setAdding(true)}>Add a delivery target…</Button>
        </div>
      </div>
      {isAdding ? <TargetEditor one={one} onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

function asideOf({ targets }: CredentialView): string | undefined {
  if (targets.length === 0) return undefined;
  const has = targets.filter(({ status }) => status === 'delivered').length;
  return `${has} of ${targets.length} ${targets.length === 1 ? 'place' : 'places'} up to date`;
}
