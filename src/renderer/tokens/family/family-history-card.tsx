import { type ReactNode, useState } from 'react';
import type { Actor, HistoryEvent } from '../../../contract/history/audit-event.ts';
import { isOwnCall } from '../../../contract/service/own-call.ts';
import { resultOfEvent } from '../../../core/history/choose-events.ts';
import { type Repeated, withoutRepeats } from '../../../core/history/repeats.ts';
import {
  callerText,
  eventDetail,
  eventTitle,
  generationText,
  reasonText,
  resultLabels,
} from '../../../text/window/events.ts';
import { familyHistoryText as text } from '../../../text/token/token-page.ts';
import type { HistoryPage } from '../../../contract/service/portal.ts';
import { maxGenerationsShown, type TokenFamilyView } from '../../../contract/token/token-list.ts';
import { EventSign } from '../../history/event-signs.tsx';
import { RepeatedWords } from '../../history/history-card.tsx';
import { historyPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Text } from '../../kit/text.tsx';
import { Link } from '../../kit/link.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Moment } from '../../kit/moment.tsx';
import styles from './family.module.css';
import { Stack } from '../../kit/layout.tsx';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';

/** How many events are read, and how many rows of them shown: at first, and after each press. */
const steps = [
  { limit: 60, most: 10 },
  { limit: 300, most: 100 },
  { limit: 1000, most: 1000 },
] as const;

/** Events of a token or a credential from the latest on, as many as a person wants. */
export function useOlderEvents(): {
  /** How many to read. */
  readonly limit: number;
  /** What to show of them; `isAll`: there are no older ones. */
  readonly show: (events: readonly HistoryEvent[], isAll: boolean, label: string) => ReactNode;
} {
  const [step, setStep] = useState(0);
  const { limit, most } = steps[step] ?? steps[2];
  return {
    limit,
    show(events, isAll, label) {
      const rows = withoutRepeats(events.slice(0, limit), storyWords);
      const hasMore = rows.length > most || events.length > limit || !isAll;
      return (
        <>
          <StoryEvents rows={rows.slice(0, most)} isAll={isAll && events.length <= limit} label={label} />
          {hasMore && step < steps.length - 1 ? (
            <p>
              <Button onPress={() => setStep(step + 1)}>{text.older}</Button>
            </p>
          ) : null}
        </>
      );
    },
  };
}

/** What happened to a family: who, when, from where, with what result and for which reason. */
export function FamilyHistoryCard({ id }: { id: string }) {
  const { limit, show } = useOlderEvents();
  const page = useLive(familyHistory(id, limit)).known?.value;
  return (
    <Card title={text.title} aside={<Link to={historyPath(id)}>{text.all}</Link>}>
      <Stack gap={2}>
        {page === undefined ? null : show(page.events, page.next_before === null, text.list)}
      </Stack>
    </Card>
  );
}

/** Events of a token or a credential, the latest on top: what happened, who did it, and how it ended where that needs a look. */
function StoryEvents({ rows, isAll, label }: { rows: readonly Repeated[]; isAll: boolean; label: string }) {
  return (
    <ol aria-label={label}>
      {rows.map((row) => (
        <StoryEvent key={row.event.seq} row={row} isAll={isAll} />
      ))}
    </ol>
  );
}

function storyWords(event: HistoryEvent): string {
  return [eventDetail(event), reasonText(event), actorPlace(event.actor)].join(' ');
}

const resultTones = { attention: 'warn', failed: 'bad' } as const;

function StoryEvent({ row, isAll }: { row: Repeated; isAll: boolean }) {
  const { event } = row;
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
        <RepeatedWords row={row} isWhole={isAll || !row.mayGoOn} />
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

/** A family, or null where there is none. Which credential keeps it fresh is part of it. */
export function tokenFamily(id: string): Resource<TokenFamilyView | null> {
  return {
    key: ['family', id],
    about: ['token.', 'credential.'],
    async read(signal) {
      const reply = await askPortal('readFamily', { params: { id }, signal });
      return reply.kind === 'refused' && reply.code === 'not_found' ? { kind: 'ok', value: null } : reply;
    },
  };
}

/** The rotations of a family, newest first: who made each generation, and which event says so. */
export function familyRotations(id: string): Resource<readonly HistoryEvent[]> {
  return {
    key: ['family', id, 'rotations'],
    about: ['token.rotated'],
    async read(signal) {
      const query = { subject: id, kind: 'token.rotated', limit: String(maxGenerationsShown) };
      const reply = await askPortal('readHistory', { query, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.events } : reply;
    },
  };
}

/** The latest events of a family, newest first. */
export function familyHistory(id: string, limit: number): Resource<HistoryPage> {
  return {
    key: ['family', id, 'history', limit],
    about: ['token.'],
    keepsPrevious: true,
    read: (signal) => askPortal('readHistory', { query: { subject: id, limit: String(limit) }, signal }),
  };
}
