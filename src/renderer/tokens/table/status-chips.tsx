import { type TokenStatus, tokenStatuses } from '../../../contract/token.ts';
import { StatusShape } from '../status-shape.tsx';
import { statusMeanings } from '../status-words.ts';
import styles from './status-chips.module.css';

/** One button a status, with how many it would show; none pressed is all of them. */
export function StatusChips({
  chosen,
  counts,
  onChange,
}: {
  chosen: readonly TokenStatus[];
  /** Undefined where it is not known. */
  counts: Readonly<Partial<Record<TokenStatus, number | undefined>>>;
  onChange: (chosen: readonly TokenStatus[]) => void;
}) {
  return (
    <div role="group" aria-label="Status" className={styles['chips']}>
      {tokenStatuses.map((status) => {
        const isChosen = chosen.includes(status);
        const count = counts[status];
        return (
          <button
            key={status}
            type="button"
            className={styles['chip']}
            aria-pressed={isChosen}
            data-empty={count === 0}
            title={`${status}: ${statusMeanings[status]}`}
            onClick={() =>
              onChange(tokenStatuses.filter((one) => (one === status ? !isChosen : chosen.includes(one))))
            }
          >
            <StatusShape status={status} />
            {status}
            {count === undefined ? null : <span className={styles['count']}>{count.toLocaleString()}</span>}
          </button>
        );
      })}
    </div>
  );
}
