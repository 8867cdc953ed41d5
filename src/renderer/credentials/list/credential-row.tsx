import { useState } from 'react';

import { type CredentialView, isDead } from '../../../contract/credential-view.ts';
import { credentialPath } from '../../kit/address.ts';
import { Countdown } from '../../kit/countdown.tsx';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { LifeBar } from '../life-bar.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { ReceiptSigns } from '../receipt-signs.tsx';
import { StateSign } from '../state-shape.tsx';
import { hostOf } from '../ways-out.ts';
import styles from './credential-row.module.css';
import { LastResult } from './last-result.tsx';
import { NextCountdown, NextExactly } from './next-words.tsx';
import { RowActions } from './row-actions.tsx';

/** A credential in the list: how it is, what comes next, and what is asked for most. */
export function CredentialRow({
  one,
  isFixed = false,
}: {
  one: CredentialView;
  /** Whether it has to do with the height that it is given. */
  isFixed?: boolean;
}) {
  const [isPausing, setPausing] = useState(false);
  const isOver = isDead(one) && one.trouble?.kind !== 'suspended';
  return (
    <div className={styles['row']} data-fixed={isFixed || undefined}>
      <div className={styles['who']}>
        <StateSign one={one} />
        <p className={styles['name']} title={one.name}>
          <Link to={credentialPath(one.name)} className={styles['link']}>
            {one.name}
          </Link>
        </p>
        <p className={styles['soft']} title={one.base_url}>
          {one.service === 'embedded' ? 'this service' : hostOf(one.base_url)}
        </p>
      </div>
      <div className={styles['when']}>
        <p className={styles['countdown']}>
          <NextCountdown one={one} />
        </p>
        <LifeBar one={one} />
        <p className={styles['soft']}>
          <NextExactly one={one} />
        </p>
        <p className={styles['soft']}>
          {one.state === 'expired' ? 'expired ' : isOver ? 'was to expire ' : 'expires in '}
          {isOver ? <Moment at={one.expires_at} /> : <Countdown to={one.expires_at} past="no time at all" />}
        </p>
      </div>
      <div className={styles['result']}>
        <p className={styles['last']} data-tone={one.message === null ? 'calm' : 'told'}>
          <LastResult one={one} />
        </p>
        <ReceiptSigns targets={one.targets} />
      </div>
      <RowActions one={one} onPause={() => setPausing(true)} />
      {isPausing ? <PauseDialog one={one} onClose={() => setPausing(false)} /> : null}
    </div>
  );
}
