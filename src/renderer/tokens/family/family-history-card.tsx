import { type ReactNode, useState } from 'react';
import type { Actor, HistoryEvent } from '../../../contract/history/audit-event.ts';
import { isOwnCall } from '../../../contract/service/own-call.ts';
import { resultOfEvent } from '../../../core/history/choose-events.ts';
import {
  eventDetail,
  eventTitle,
  generationText,
  reasonText,
  resultLabels,
  callerText,
} from '../../../text/window/events.ts';
import { familyHistoryText as text } from '../../../text/token/token-page.ts';
import { EventSign } from '../../history/event-signs.tsx';
import { historyPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Text } from '../../kit/text.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Moment } from '../../kit/moment.tsx';
import styles from './family.module.css';
import { familyHistory } from './family-resources.ts';
import { Stack } from '../../kit/layout.tsx';

/** How many events are shown: at first, and after each press. */
const limits = [10, 100, 1000] as const;

/** How many events to read, and the button for more where there are any. */
export function useOlderEvents(): {
  readonly limit: number;
  readonly button: (hasMore: boolean) => ReactNode;
} {
  const [step, setStep] = useState(0);
  const isLast = step === limits.length - 1;
  return {
    limit: limits[step] ?? 1000,
    button: (hasMore) =>
      hasMore && !isLast ? (
        <p>
          <Button onPress={() => setStep(step + 1)}>{text.older}</Button>
        </p>
      ) : null,
  };
}

/** What happened to a family: who, when, from where, with what result and for which reason. */
export function FamilyHistoryCard({ id }: { id: string }) {
  const { limit, button } = useOlderEvents();
  const page = useLive(familyHistory(id, limit)).known?.value;
  return (
    <Card title={text.title} aside={<Link to={historyPath(id)}>{text.all}</Link>}>
      <Stack gap={2}>
        {page === undefined ? null : <StoryEvents events={page.events} label={text.list} />}
        {button(page !== undefined && page.next_before !== null)}
      </Stack>
    </Card>
  );
}

/** Events of a token or a credential, the latest on top: what happened, who did it, and how it ended where that needs a look. */
export function StoryEvents({ events, label }: { events: readonly HistoryEvent[]; label: string }) {
  return (
    <ol aria-label={label}>
      {events.map((event) => (
        <StoryEvent key={event.seq} event={event} />
      ))}
    </ol>
  );
}

const resultTones = { attention: 'warn', failed: 'bad' } as const;

function StoryEvent({ event }: { event: HistoryEvent }) {
  const isOfToken = event.kind.startsWith('token.');
  const result = resultOfEvent(event.kind);
  const reason = reasonText(event);
  const detail = isOfToken ? undefined : eventDetail(event);
  return (
    <li className={styles['event']}>
      <EventSign kind={event.kind} />
      <div className={styles['words']}>
        <Text weight="strong" breaks>
          {eventTitle(event.kind, event.actor)}{' '}
          <Text as="span" tone="soft" weight="regular">
            {isOfToken ? generationText(event) : null}
          </Text>
        </Text>
        {detail === undefined ? null : (
          <Text tone="soft" size="small" breaks>
            {detail}
          </Text>
        )}
        {reason === undefined ? null : <Text breaks>“{reason}”</Text>}
      </div>
      <div className={styles['who']}>
        <Text tone="soft" breaks>
          {actorPlace(event.actor)}
        </Text>
      </div>
      <div className={styles['when']}>
        <Text tone="soft" isTabular>
          <Moment at={event.at} />
        </Text>
        {result === 'ok' ? null : (
          <Text tone={resultTones[result]} weight="strong">
            {resultLabels[result]}
          </Text>
        )}
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
