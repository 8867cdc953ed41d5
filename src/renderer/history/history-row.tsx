import { memo } from 'react';

import { exactInstant } from '../kit/exact-instant.ts';
import { Icon } from '../kit/icon.tsx';
import { areOfOneDay, dayWords } from './day-words.ts';
import type { EventReader, KnownEvent } from './event-reader.ts';
import { aboutWords, actorWords, eventWords } from './event-words.ts';
import styles from './history-row.module.css';
import type { MatchedRows } from './matched-rows.ts';
import { useKnownEvent, useRowEvent } from './use-event.ts';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** One event in the list: sign, words, what it is about, who did it and when. Until it is read, its outline. */
export const HistoryRow = memo(function HistoryRow({
  reader,
  rows,
  row,
  onOpen,
}: {
  reader: EventReader;
  rows: MatchedRows;
  row: number;
  onOpen: (seq: number) => void;
}) {
  const known = useRowEvent(reader, rows, row);
  const newer = useKnownEvent(reader, row === 0 ? 0 : rows.seqAt(row - 1));
  if (known === undefined) return <RowOutline />;
  const beginsDay = newer !== undefined && !areOfOneDay(newer.event.at, known.event.at);
  const day = beginsDay ? dayWords(known.event.at, new Date()) : undefined;
  return <RowWords known={known} day={day} onOpen={onOpen} />;
});

function RowWords({
  known: { event, name },
  day,
  onOpen,
}: {
  known: KnownEvent;
  day: string | undefined;
  onOpen: (seq: number) => void;
}) {
  const { icon, tone, what, detail } = eventWords(event);
  const at = new Date(event.at);
  const actor = actorWords(event.actor);
  const about = aboutWords(name, detail) ?? event.subject;
  return (
    <div className={styles['event']}>
      {day === undefined ? null : <span className={styles['day']}>{day}</span>}
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <p className={styles['what']}>
          {/* The row itself is what the keyboard reaches; Enter does the same. */}
          <button type="button" tabIndex={-1} className={styles['open']} onClick={() => onOpen(event.seq)}>
            {what}
          </button>
        </p>
        <p className={styles['detail']} title={about}>
          {name !== undefined && about.startsWith(name) ? (
            <>
              <span className={styles['name']}>{name}</span>
              {about.slice(name.length)}
            </>
          ) : (
            about
          )}
        </p>
      </div>
      <span className={styles['who']} title={actor.exact}>
        {actor.short}
      </span>
      <time className={styles['when']} dateTime={event.at} title={exactInstant(event.at)}>
        {clock.format(at)}
        <span className={styles['date']}>{shortDay.format(at)}</span>
      </time>
    </div>
  );
}

function RowOutline() {
  return (
    <div className={styles['event']} data-outline="true">
      <span className={styles['sign']} />
      <div className={styles['words']}>
        <p className={styles['bar']} />
        <p className={styles['bar']} />
      </div>
      <span className={styles['hidden']}>Reading this event …</span>
    </div>
  );
}
