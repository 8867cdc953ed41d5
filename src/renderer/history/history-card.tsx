import { Text } from '../kit/text.tsx';
import type { HistoryEvent } from '../../contract/audit-event.ts';
import { aboutText, actorText, eventDetail, eventTitle } from '../../text/events.ts';
import { historyCardText as text } from '../../text/history.ts';
import { Card } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { eventSign } from './event-signs.ts';
import styles from './history-card.module.css';

type Names = Readonly<Record<string, string>>;

/** The newest events, the latest on top. */
export function HistoryCard({
  events,
  names,
  isLive,
}: {
  events: readonly HistoryEvent[];
  /** What their subjects are called now. */
  names?: Names | undefined;
  isLive: boolean;
}) {
  return (
    <Card title={text.title} aside={events.length === 0 ? undefined : isLive ? text.live : text.newestFirst}>
      {events.length === 0 ? (
        <Text tone="soft">{text.empty}</Text>
      ) : (
        <EventList events={events} names={names} />
      )}
    </Card>
  );
}

/** Some events of a card, the latest on top. */
export function EventList({
  events,
  names = {},
  label,
}: {
  events: readonly HistoryEvent[];
  names?: Names | undefined;
  label?: string;
}) {
  return (
    <ol aria-label={label}>
      {events.map((event) => (
        <EventRow key={event.seq} event={event} name={names[event.subject]} />
      ))}
    </ol>
  );
}

function EventRow({ event, name }: { event: HistoryEvent; name: string | undefined }) {
  const { icon, tone } = eventSign(event.kind);
  const about = aboutText(name, eventDetail(event));
  const { short, full } = actorText(event.actor);
  return (
    <li className={styles['event']}>
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <p className={styles['what']}>{eventTitle(event.kind)}</p>
        {about === undefined ? null : (
          <Text tone="soft" size="small" breaks>
            {about}
          </Text>
        )}
      </div>
      <div className={styles['when']}>
        <Moment at={event.at} />
        <p title={full}>{short}</p>
      </div>
    </li>
  );
}
