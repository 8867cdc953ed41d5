import { useState } from 'react';

import type { CredentialView } from '../../../contract/credential-view.ts';
import { ExactMoment } from '../exact-moment.tsx';
import { Button } from '../../kit/button.tsx';
import styles from './planned-rotations.module.css';

/** Enough to see the rhythm. */
const shownAtOnce = 5;
/** The service plans no more than so many. */
const most = 200;

/** The dry run: the rotations of the next 90 days, if each succeeds at once. */
export function PlannedRotations({ one: { planned } }: { one: CredentialView }) {
  const [isOpen, setOpen] = useState(false);
  if (planned.length === 0) return null;
  const shown = isOpen ? planned : planned.slice(0, shownAtOnce);
  return (
    <div className={styles['planned']}>
      <h3 className={styles['title']}>{titleOf(planned.length)}</h3>
      <ol className={styles['list']} aria-label="Planned rotations">
        {shown.map((at) => (
          <li key={at}>
            <ExactMoment at={at} />
          </li>
        ))}
      </ol>
      {planned.length > shownAtOnce ? (
        <div>
          <Button onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show all ${planned.length}`}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function titleOf(count: number): string {
  if (count >= most) return `More than ${most} rotations in the next 90 days`;
  return count === 1 ? '1 rotation in the next 90 days' : `${count} rotations in the next 90 days`;
}
