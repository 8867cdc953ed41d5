import { useState } from 'react';
import type { Actor, HistoryEvent } from '../../../contract/audit-event.ts';
import { isOwnCall } from '../../../contract/own-call.ts';
import { resultOfEvent } from '../../../core/history/choose-events.ts';
import { eventTitle, generationText, reasonText, resultLabels, callerText } from '../../../text/events.ts';
import { familyHistoryText as text } from '../../../text/token-page.ts';
import { EventSign } from '../../history/event-signs.tsx';
import { historyPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Text } from '../../kit/text.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Moment } from '../../kit/moment.tsx';
import pageStyles from '../../kit/page.module.css';
import styles from './family.module.css';
import { familyHistory } from './family-resources.ts';

const limits = [10, 100, 1000] as const;

/** What happened to a family: who, when, from where, with what result and for which reason. */
export function FamilyHistoryCard({ id, title = text.title }: { id: string; title?: string }) {
  const [step, setStep] = useState(0);
  const page = useLive(familyHistory(id, limits[step] ?? 1000)).known?.value;
  const hasMore = page !== undefined && page.next_before !== null;
  const isLast = step === limits.length - 1;
  return (
    <Card
      title={title}
      aside={
        <Link to={historyPath(id)} className={pageStyles['link']}>
          {text.all}
        </Link>
      }
    >
      {page === undefined ? null : (
        <ol aria-label={text.list}>
          {page.events.map((event) => (
            <FamilyEvent key={event.seq} event={event} />
          ))}
        </ol>
      )}
      {hasMore && !isLast ? (
        <p className={styles['rest']}>
          <Button onPress={() => setStep(step + 1)}>{text.older}</Button>
        </p>
      ) : null}
    </Card>
  );
}

const resultTones = { ok: 'soft', attention: 'warn', failed: 'bad' } as const;

function FamilyEvent({ event }: { event: HistoryEvent }) {
  const result = resultOfEvent(event.kind);
  const reason = reasonText(event);
  return (
    <li className={styles['event']}>
      <EventSign kind={event.kind} />
      <div className={styles['words']}>
        <Text weight="strong" breaks>
          {eventTitle(event.kind, event.actor)}{' '}
          <Text as="span" tone="soft" weight="regular">
            {generationText(event)}
          </Text>
        </Text>
        {reason === undefined ? null : <Text breaks>“{reason}”</Text>}
      </div>
      <div className={styles['who']}>
        <Text tone="soft" breaks>
          {actorPlace(event.actor)}
        </Text>
      </div>
      <Text tone={resultTones[result]} weight={result === 'ok' ? 'regular' : 'strong'}>
        {resultLabels[result]}
      </Text>
      <div className={styles['when']}>
        <Text tone="soft" isTabular>
          <Moment at={event.at} />
        </Text>
      </div>
    </li>
  );
}

/** Who did something and from where, in full. */
export function actorPlace(actor: Actor): string {
  switch (actor.kind) {
    case 'owner':
      return actor.name ?? text.owner;
    case 'system':
      return text.service;
    case 'bearer':
      return isOwnCall(actor) ? text.rotavox : callerText(actor);
  }
}
