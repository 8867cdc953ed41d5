import { Text } from '../kit/text.tsx';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { aboutText, actorText, eventDetail, eventTitle } from '../../text/window/events.ts';
import { type Repeated, withoutRepeats } from '../../core/history/repeats.ts';
import { historyCardText as text, repeatedText } from '../../text/window/history-text.ts';
import { Card } from '../kit/card.tsx';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { EventSign } from './event-signs.tsx';
import styles from './history-card.module.css';

type Names = Readonly<Record<string, string>>;

/** How many rows are shown. */
const most = 6;

/** The newest events, the latest on top. */
export function HistoryCard({
  events,
  names = {},
  isAll,
  isLive,
}: {
  events: readonly HistoryEvent[];
  /** What their subjects are called now. */
  names?: Names | undefined;
  /** Whether there are no older ones. */
  isAll: boolean;
  isLive: boolean;
}) {
  const rows = withoutRepeats(events, (event) => eventDetail(event) ?? '').slice(0, most);
  const order = isLive ? text.live : text.newestFirst;
  return (
    <Card title={text.title} aside={events.length === 0 ? undefined : order}>
      {events.length === 0 ? (
        <Text tone="soft">{text.empty}</Text>
      ) : (
        <ol>
          {rows.map((row) => (
            <EventRow
              key={row.event.seq}
              row={row}
              isWhole={isAll || !row.mayGoOn}
              name={names[row.event.subject]}
            />
          ))}
        </ol>
      )}
    </Card>
  );
}

/** How often it has happened, where it has happened again. */
export function RepeatedWords({ row: { count, since }, isWhole }: { row: Repeated; isWhole: boolean }) {
  if (count === 1) return null;
  return (
    <Text tone="soft" size="small">
      <RichText text={repeatedText(count, isWhole)} parts={{ at: <Moment at={since} /> }} />
    </Text>
  );
}

function EventRow({ row, isWhole, name }: { row: Repeated; isWhole: boolean; name: string | undefined }) {
  const { event } = row;
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
        <RepeatedWords row={row} isWhole={isWhole} />
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
