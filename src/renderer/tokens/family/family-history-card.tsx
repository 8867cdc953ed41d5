import { useState } from 'react';
import type { Actor, HistoryEvent } from '../../../contract/audit-event.ts';
import type { HistoryResult } from '../../../contract/history.ts';
import { resultOfEvent } from '../../../core/history/choose-events.ts';
import { eventWords } from '../../history/event-words.ts';
import { text } from '../../history/wording.ts';
import { historyPath } from '../../kit/address.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Moment } from '../../kit/moment.tsx';
import styles from './family-history-card.module.css';
import { familyHistory } from './family-resources.ts';

const limits = [10, 100, 1000] as const;

const resultWords: Record<HistoryResult, string> = { ok: 'OK', attention: 'Attention', failed: 'Failed' };

/** What happened to a family: who, when, from where, with what result and for which reason. */
export function FamilyHistoryCard({ id }: { id: string }) {
  const [step, setStep] = useState(0);
  const page = useLive(familyHistory(id, limits[step] ?? 1000)).known?.value;
  const hasMore = page !== undefined && page.next_before !== null;
  const isLast = step === limits.length - 1;
  return (
    <Card
      title="History"
      aside={
        <Link to={historyPath(id)} className={styles['link']}>
          All of its history
        </Link>
      }
    >
      {page === undefined ? null : (
        <ol className={styles['events']} aria-label="History of the family">
          {page.events.map((event) => (
            <FamilyEvent key={event.seq} event={event} />
          ))}
        </ol>
      )}
      {hasMore && !isLast ? (
        <p className={styles['rest']}>
          <Button onPress={() => setStep(step + 1)}>Show older events</Button>
        </p>
      ) : null}
    </Card>
  );
}

function FamilyEvent({ event }: { event: HistoryEvent }) {
  const { icon, tone, what } = eventWords(event);
  const result = resultOfEvent(event.kind);
  const reason = text(event.data, 'reason');
  return (
    <li className={styles['event']}>
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <p className={styles['what']}>
          {what} <span className={styles['soft']}>{aboutWords(event)}</span>
        </p>
        {reason === undefined ? null : <p className={styles['reason']}>“{reason}”</p>}
      </div>
      <p className={styles['who']}>{actorPlace(event.actor)}</p>
      <p className={styles['result']} data-result={result}>
        {resultWords[result]}
      </p>
      <p className={styles['when']}>
        <Moment at={event.at} />
      </p>
    </li>
  );
}

/** Which generation it is about. */
function aboutWords({ data }: HistoryEvent): string {
  const [source, successor, one] = ['source_id', 'successor_id', 'token_id'].map((key) => text(data, key));
  if (source !== undefined && successor !== undefined)
    return `generation ${generationOf(source)} → ${generationOf(successor)}`;
  return one === undefined ? '' : `generation ${generationOf(one)}`;
}

/** Who did something and from where, in full. */
export function actorPlace(actor: Actor): string {
  switch (actor.kind) {
    case 'owner':
      return 'the owner';
    case 'system':
      return 'the service itself';
    case 'bearer':
      return actor.user_agent === null ? actor.address : `${actor.address}, ${actor.user_agent}`;
  }
}

/** The generation that a token's id names: `tok_<family>_<generation>`. */
export function generationOf(tokenId: string): string {
  return tokenId.slice(tokenId.lastIndexOf('_') + 1);
}
