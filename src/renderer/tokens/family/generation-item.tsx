import { useEffect, useRef } from 'react';

import type { HistoryEvent } from '../../../contract/audit-event.ts';
import type { TokenFamilyView } from '../../../contract/token-family.ts';
import type { TokenView } from '../../../contract/token.ts';
import { Icon } from '../../kit/icon.tsx';
import { Moment } from '../../kit/moment.tsx';
import { StatusShape } from '../status-shape.tsx';
import { isLive } from '../status-words.ts';
import { actorPlace } from './actor-place.ts';
import styles from './generations-card.module.css';

/** One generation: its life in a line, who made it, how it ended. */
export function GenerationItem({
  token,
  rotation,
  reuse,
  isSelected,
  isCompared,
  onCompare,
}: {
  token: TokenView;
  /** The rotation at its end. */
  rotation: HistoryEvent | undefined;
  reuse: TokenFamilyView['last_reuse'] | undefined;
  isSelected: boolean;
  isCompared: boolean;
  onCompare: () => void;
}) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const { id, generation, status, created_at, ended_at, expires_at, first_used_at, reason } = token;

  return (
    <li
      ref={ref}
      id={id}
      className={styles['generation']}
      data-selected={isSelected}
      aria-current={isSelected || undefined}
    >
      <span className={styles['node']}>
        <StatusShape status={status} />
      </span>
      <div className={styles['words']}>
        <p className={styles['title']}>
          Generation {generation} <span className={styles['state']}>{status}</span>
        </p>
        <p>
          <Moment at={created_at} /> – <Moment at={ended_at ?? expires_at} />
          {isLive(status) ? ' at the latest' : null}
        </p>
        <p className={styles['soft']}>
          {[
            ...(generation === 1 ? ['Issued by the owner'] : []),
            ...(rotation === undefined ? [] : [`Rotated by ${actorPlace(rotation.actor)}`]),
            ...(first_used_at === null ? ['Never used'] : []),
          ].join('. ')}
        </p>
        {reason === null ? null : <p>“{reason}”</p>}
        {reuse === undefined || reuse === null ? null : (
          <p className={styles['alarm']}>
            Still used: last <Moment at={reuse.at} />, from {reuse.address}
          </p>
        )}
      </div>
      <button type="button" className={styles['compare']} aria-pressed={isCompared} onClick={onCompare}>
        {isCompared ? <Icon name="tick" /> : null}
        Compare<span className={styles['hidden']}> generation {generation} with the issue</span>
      </button>
    </li>
  );
}
