import { useState } from 'react';

import type { HistoryEvent } from '../../../contract/audit-event.ts';
import type { TokenFamilyView } from '../../../contract/token-family.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { GenerationItem } from './generation-item.tsx';
import styles from './generations-card.module.css';

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
        <p className={styles['rest']}>
          <Button onPress={() => setAll(true)}>{rest === 1 ? 'Show 1 older' : `Show ${rest} older`}</Button>
        </p>
      ) : older > 0 ? (
        <p className={styles['rest']}>
          {older.toLocaleString()} older {older === 1 ? 'one is' : 'ones are'} in the history.
        </p>
      ) : null}
    </Card>
  );
}
