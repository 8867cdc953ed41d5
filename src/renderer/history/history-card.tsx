import type { HistoryEvent } from '../../contract/audit-event.ts';
import { Card } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { aboutText, actorText, eventDetail, eventTitle } from '../../text/events.ts';
import { eventSign } from './event-signs.ts';
import styles from './history-card.module.css';

/** The newest events, the latest on top. */
export function HistoryCard({
  events,
  names = {},
  isLive,
}: {
  events: readonly HistoryEvent[];
  /** What their subjects are called now. */
  names?: Readonly<Record<string, string>> | undefined;
  isLive: boolean;
}) {
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
            <CardRow key={event.seq} event={event} name={names[event.subject]} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function CardRow({ event, name }: { event: HistoryEvent; name: string | undefined }) {
  const { icon, tone } = eventSign(event.kind);
  const about = aboutText(name, eventDetail(event));
  return (
    <li className={styles['event']}>
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <p className={styles['what']}>{eventTitle(event.kind)}</p>
        {about === undefined ? null : <p className={styles['detail']}>{about}</p>}
      </div>
      <div className={styles['when']}>
        <Moment at={event.at} />
        <p className={styles['who']} title={actorText(event.actor).full}>
          {actorText(event.actor).short}
        </p>
      </div>
    </li>
  );
}
