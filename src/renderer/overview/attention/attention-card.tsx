import { useId, useState } from 'react';

import type { Attention, AttentionList } from '../../../contract/attention.ts';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useMinute } from '../../kit/use-minute.ts';
import { nearWords } from '../near-words.ts';
import styles from './attention-card.module.css';
import { AttentionItem } from './attention-item.tsx';

/** More than this many are shown only when they are asked for. */
const shownAtFirst = 4;

/** What needs the owner now. In a good life one calm line. */
export function AttentionCard({
  list,
  has,
}: {
  list: AttentionList;
  has: 'nothing' | 'tokens' | 'credentials';
}) {
  const titleId = useId();
  const nowMs = useMinute();
  const [isWhole, setWhole] = useState(false);
  const { items, left_out: leftOut, next_rotation: next } = list;
  const count = items.length + leftOut;
  const shown = isWhole ? items : items.slice(0, shownAtFirst + (items.length === shownAtFirst + 1 ? 1 : 0));

  return (
    <section className={styles['card']} data-calm={count === 0 || undefined} aria-labelledby={titleId}>
      <header className={styles['head']}>
        <h2 id={titleId} className={styles['title']}>
          What needs you
        </h2>
        {/* Always there, or it could not be heard when the count changes. */}
        <p className={styles['count']} role="status">
          {count === 0 ? (
            <>
              <span className={styles['good']}>
                <Icon name="tick" />
              </span>
              <span>
                <strong>Nothing needs you.</strong> {calmWords(next, has, nowMs)}
              </span>
            </>
          ) : (
            <>
              {count.toLocaleString()} {count === 1 ? 'thing' : 'things'}
              <span className={styles['unseen']}>{count === 1 ? ' needs you' : ' need you'}</span>
            </>
          )}
        </p>
      </header>
      {count === 0 ? null : (
        <ul className={styles['items']}>
          {shown.map((item) => (
            <AttentionItem key={keyOf(item)} item={item} nowMs={nowMs} />
          ))}
        </ul>
      )}
      {items.length > shown.length || isWhole ? (
        <p className={styles['more']}>
          <Button onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${items.length.toLocaleString()}`}
          </Button>
        </p>
      ) : null}
      {isWhole && leftOut > 0 ? (
        <p className={styles['more']}>And {leftOut.toLocaleString()} more, which end later.</p>
      ) : null}
    </section>
  );
}

function calmWords(
  next: AttentionList['next_rotation'],
  has: 'nothing' | 'tokens' | 'credentials',
  nowMs: number,
): string {
  if (next !== null) return `Next rotation: ${next.name}, ${nearWords(next.at, nowMs)}.`;
  if (has === 'nothing') return 'There is no token yet.';
  return has === 'tokens' ? 'No token is kept fresh yet.' : 'No rotation is planned.';
}

/** The same thing, the same key, whatever has become of it meanwhile. */
function keyOf(item: Attention): string {
  switch (item.kind) {
    case 'store_refusing':
    case 'vault':
      return item.kind;
    case 'journal_repaired':
      return `${item.kind} ${item.message}`;
    case 'credential':
    case 'paused_ends':
    case 'reminder':
      return `${item.kind} ${item.name}`;
    case 'failing':
      return `${item.kind} ${item.trouble} ${item.origin}`;
    case 'delivery':
      return `${item.kind} ${item.target_id}`;
    case 'reuse':
    case 'ends_unkept':
    case 'suspended_ends':
      return `${item.kind} ${item.family_id}`;
  }
}
