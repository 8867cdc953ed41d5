import { Text } from '../kit/text.tsx';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { aboutText, actorText, eventDetail, eventTitle } from '../../text/window/events.ts';
import { historyCardText as text } from '../../text/window/history-text.ts';
import { Card } from '../kit/card.tsx';
import { Moment } from '../kit/moment.tsx';
import { EventSign } from './event-signs.tsx';
import styles from './history-card.module.css';

type Names = Readonly<Record<string, string>>;

/** The newest events, the latest on top. */
export function HistoryCard({
  events,
  names = {},
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
        <ol>
          {events.map((event) => (
            <EventRow key={event.seq} event={event} name={names[event.subject]} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function EventRow({ event, name }: { event: HistoryEvent; name: string | undefined }) {
  const about = aboutText(name, eventDetail(event));
  const { short, full } = actorText(event.actor);
  return (
    <li className={styles['event']}>
      <EventSign kind={event.kind} />
      <div>
        <Text size="normal" weight="strong" breaks>
          {eventTitle(event.kind, event.actor)}
        </Text>
        {about === undefined ? null : (
          <Text tone="soft" size="small" breaks>
            {about}
          </Text>
        )}
      </div>
      <div className={styles['when']}>
        <Text tone="soft" size="small" isTabular>
          <Moment at={event.at} />
        </Text>
        <Text tone="soft" size="small" title={full}>
          {short}
        </Text>
      </div>
    </li>
  );
}
