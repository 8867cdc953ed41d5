import { useEffect, useRef, useState } from 'react';
import type { HistoryEvent } from '../../../contract/audit-event.ts';
import type { TokenFamilyView } from '../../../contract/token-list.ts';
import type { TokenView } from '../../../contract/token.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Moment } from '../../kit/moment.tsx';
import { StatusShape } from '../status-shape.tsx';
import { isLive } from '../status-words.ts';
import { actorPlace } from './family-history-card.tsx';
import styles from './family.module.css';

/** As many generations as are shown before more are asked for. */
const shownAtFirst = 6;

/** The family as a chain, newest on top: the life of each generation, who made it and how it ended. */
export function GenerationsCard({
  family,
  rotations,
  selected,
  compared,
  onCompare,
}: {
  family: TokenFamilyView;
  rotations: readonly HistoryEvent[];
  /** The id of the generation that the address names. */
  selected: string;
  /** The generations that are compared with the issue. */
  compared: ReadonlySet<number>;
  onCompare: (generation: number) => void;
}) {
  const { tokens, generations, last_reuse } = family;
  const newestFirst = tokens.toReversed();
  const place = newestFirst.findIndex(({ id }) => id === selected);
  const [isAll, setAll] = useState(place >= shownAtFirst);
  const shown = isAll ? newestFirst : newestFirst.slice(0, shownAtFirst);
  const rest = tokens.length - shown.length;
  const older = generations - tokens.length;

  return (
    <Card
      title="Generations"
      aside={generations === 1 ? 'never rotated' : `${generations} in all, newest first`}
    >
      <ol className={styles['chain']} reversed>
        {shown.map((token) => (
          <GenerationItem
            key={token.id}
            token={token}
            rotation={rotations.find(({ data }) => data.source_id === token.id)}
            reuse={last_reuse?.token_id === token.id ? last_reuse : undefined}
            isSelected={token.id === selected}
            isCompared={compared.has(token.generation)}
            onCompare={() => onCompare(token.generation)}
          />
        ))}
      </ol>
      {rest > 0 ? (
        <p className={styles['generationRest']}>
          <Button onPress={() => setAll(true)}>{rest === 1 ? 'Show 1 older' : `Show ${rest} older`}</Button>
        </p>
      ) : older > 0 ? (
        <p className={styles['generationRest']}>
          {older.toLocaleString()} older {older === 1 ? 'one is' : 'ones are'} in the history.
        </p>
      ) : null}
    </Card>
  );
}

/** One generation: its life in a line, who made it, how it ended. */
function GenerationItem({
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
      <div className={styles['generationText']}>
        <p className={styles['title']}>
          Generation {generation} <span className={styles['state']}>{status}</span>
        </p>
        <p>
          <Moment at={created_at} /> – <Moment at={ended_at ?? expires_at} />
          {isLive(status) ? ' at the latest' : null}
        </p>
        <p className={styles['generationNote']}>
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
