import type { HistoryEvent } from '../../contract/audit-event.ts';
import { Card } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { actorWords, eventWords } from './event-words.ts';
import styles from './history-card.module.css';

/** The newest events, the latest on top. */
export function HistoryCard({ events, isLive }: { events: readonly HistoryEvent[]; isLive: boolean }) {
  return (
    <Card
      title="History"
      aside={events.length === 0 ? undefined : isLive ? 'newest first, live' : 'newest first'}
    >
      {events.length === 0 ? (
        <p className={styles['empty']}>
          Nothing has happened yet. What happens to tokens and phone menus is written here, and never
          forgotten.
        </p>
      ) : (
        <ol className={styles['events']}>
          {events.map((event) => (
            <HistoryRow key={event.seq} event={event} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function HistoryRow({ event }: { event: HistoryEvent }) {
  const { icon, tone, what, detail } = eventWords(event);
  return (
    <li className={styles['event']}>
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <p className={styles['what']}>{what}</p>
        {detail === undefined ? null : <p className={styles['detail']}>{detail}</p>}
      </div>
      <div className={styles['when']}>
        <Moment at={event.at} />
        <p className={styles['who']} title={actorWords(event.actor).exact}>
          {actorWords(event.actor).short}
        </p>
      </div>
    </li>
  );
}
