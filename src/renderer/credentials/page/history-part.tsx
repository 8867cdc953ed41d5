import type { HistoryEvent } from '../../../contract/audit-event.ts';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { actorWords, eventWords } from '../../history/event-words.ts';
import { historyPath } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../exact-moment.tsx';
import { historyOf } from '../read-credentials.ts';
import styles from './history-part.module.css';

/** What happened to a credential lately, newest first, with the way to all of it. */
export function HistoryPart({ one }: { one: CredentialView }) {
  const page = useLive(historyOf(one.name)).known?.value;
  return (
    <Card
      title="What happened"
      aside={
        <Link to={historyPath(one.id)} className={styles['link']}>
          All of its history
        </Link>
      }
    >
      {page === undefined ? null : (
        <ol className={styles['events']} aria-label="Latest events">
          {page.events.map((event) => (
            <HistoryLine key={event.seq} event={event} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function HistoryLine({ event }: { event: HistoryEvent }) {
  const { icon, tone, what, detail } = eventWords(event);
  const { short, exact } = actorWords(event.actor);
  return (
    <li className={styles['event']}>
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <p>{what}</p>
        {detail === undefined ? null : <p className={styles['soft']}>{detail}</p>}
      </div>
      <p className={styles['when']}>
        <ExactMoment at={event.at} />
        <span className={styles['who']} title={exact}>
          {short}
        </span>
      </p>
    </li>
  );
}
