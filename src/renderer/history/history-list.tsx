import { memo, type ReactNode, type Ref, type UIEvent, useEffect, useEffectEvent, useState } from 'react';
import { Text } from '../kit/text.tsx';
import { historyText as text, savedSpanText } from '../../text/window/history-text.ts';
import { type RowsHandle, VirtualRows } from '../kit/list/virtual-rows.tsx';
import { areOfOneDay, clockText, dayText, fullText, shortDayText } from '../../text/time.ts';
import { type EventReader, type KnownEvent, useKnownEvent, useRowEvent } from './event-reader.ts';
import { aboutText, actorText, eventDetail, eventTitle } from '../../text/window/events.ts';
import { EventSign } from './event-signs.tsx';
import buttonStyles from '../kit/button.module.css';
import listStyles from '../kit/list/list.module.css';
import styles from './history.module.css';
import type { MatchedRows, SaveRow } from './matched-rows.ts';

/** In pixels at a root size of 16: two lines and the room around them. */
const rowHeight = 56;
/** More rows than this are more pixels than every browser can scroll. */
const maxRows = 200_000;

/** The rows of a search. The day of the topmost one stays in sight above them. */
export function HistoryList({
  ref,
  reader,
  rows,
  onOpen,
  onToggle,
  onTop,
}: {
  ref: Ref<RowsHandle>;
  reader: EventReader;
  rows: MatchedRows;
  onOpen: (seq: number) => void;
  onToggle: (saves: SaveRow) => void;
  onTop: (isAtTop: boolean) => void;
}) {
  const [top, setTop] = useState(0);
  const count = Math.min(rows.count, maxRows);
  const begin = useEffectEvent(() => onTop(true));
  useEffect(() => begin(), []);

  /** A row of several saves shows them; any other shows its event. */
  function open(seq: number): void {
    const saves = rows.savesAt(seq);
    if (saves === undefined || saves.isOpen) onOpen(seq);
    else onToggle(saves);
  }

  function follow({ target }: UIEvent): void {
    if (!(target instanceof HTMLElement) || count === 0) return;
    const ofOne = target.scrollHeight / count;
    setTop(Math.min(count - 1, Math.floor(target.scrollTop / ofOne)));
  }

  return (
    <>
      <div className={styles['list']} onScrollCapture={follow}>
        <VirtualRows
          ref={ref}
          label={text.list}
          count={count}
          rowHeight={rowHeight}
          head={<TopDay reader={reader} seq={rows.seqAt(Math.min(top, count - 1))} />}
          renderRow={(row) => (
            <HistoryRow reader={reader} rows={rows} row={row} onOpen={open} onToggle={onToggle} />
          )}
          onOpen={(row) => open(rows.seqAt(row))}
          onTop={onTop}
        />
      </div>
      {count < rows.count ? (
        <div className={styles['rest']}>
          <Text tone="soft" size="small">
            {text.tooMany(count, rows.count)}
          </Text>
        </div>
      ) : null}
    </>
  );
}

function TopDay({ reader, seq }: { reader: EventReader; seq: number }) {
  const known = useKnownEvent(reader, seq);
  return (
    <div className={styles['day']}>
      <Text tone="soft" size="small" weight="bold">
        {known === undefined ? ' ' : dayText(known.event.at, new Date().getTime())}
      </Text>
    </div>
  );
}

/** One event in the list: sign, words, what it is about, who did it and when. Until it is read, its outline. */
const HistoryRow = memo(function HistoryRow({
  reader,
  rows,
  row,
  onOpen,
  onToggle,
}: {
  reader: EventReader;
  rows: MatchedRows;
  row: number;
  onOpen: (seq: number) => void;
  onToggle: (saves: SaveRow) => void;
}) {
  const known = useRowEvent(reader, rows, row);
  const newer = useKnownEvent(reader, row === 0 ? 0 : rows.seqAt(row - 1));
  if (known === undefined) return <RowOutline />;
  const beginsDay = newer !== undefined && !areOfOneDay(newer.event.at, known.event.at);
  const day = beginsDay ? dayText(known.event.at, new Date().getTime()) : undefined;
  const saves = rows.savesAt(known.event.seq);
  if (saves !== undefined && !saves.isOpen)
    return <SaveWords reader={reader} known={known} saves={saves} day={day} onOpen={onOpen} />;
  return (
    <RowWords known={known} day={day} onOpen={onOpen}>
      {saves === undefined ? null : (
        <button
          type="button"
          tabIndex={-1}
          className={buttonStyles['bare']}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(saves);
          }}
        >
          <Text as="span" tone="accent" size="small">
            {text.saves.hide(saves.count)}
          </Text>
        </button>
      )}
    </RowWords>
  );
});

/** Several saves of one draft in one row: how many, and from when to when. */
function SaveWords({
  reader,
  known: { event, name },
  saves: { count, oldest },
  day,
  onOpen,
}: {
  reader: EventReader;
  known: KnownEvent;
  saves: SaveRow;
  day: string | undefined;
  onOpen: (seq: number) => void;
}) {
  useEffect(() => void reader.readOne(oldest), [reader, oldest]);
  const first = useKnownEvent(reader, oldest)?.event;
  const nowMs = new Date().getTime();
  return (
    <EventRow
      event={event}
      day={day}
      title={text.saves.title(name ?? event.subject, count)}
      side={<WhoAndWhen event={event} />}
      onOpen={onOpen}
    >
      <Text tone="soft" size="small" isCut>
        {first === undefined
          ? text.saves.show
          : `${savedSpanText(first.at, event.at, nowMs)} · ${text.saves.show}`}
      </Text>
    </EventRow>
  );
}

function RowWords({
  known: { event, name },
  day,
  onOpen,
  children,
}: {
  known: KnownEvent;
  day: string | undefined;
  onOpen: (seq: number) => void;
  children?: ReactNode;
}) {
  const about = aboutText(name, eventDetail(event)) ?? event.subject;
  return (
    <EventRow
      event={event}
      day={day}
      title={eventTitle(event.kind, event.actor)}
      side={<WhoAndWhen event={event}>{children}</WhoAndWhen>}
      onOpen={onOpen}
    >
      <Text tone="soft" size="small" isCut title={about}>
        {name !== undefined && about.startsWith(name) ? (
          <>
            <Text as="span" tone="plain">
              <bdi>{name}</bdi>
            </Text>
            {about.slice(name.length)}
          </>
        ) : (
          about
        )}
      </Text>
    </EventRow>
  );
}

/** A row of the list: its sign, its title, which opens it, what is below that, and what stands at the side. */
function EventRow({
  event,
  day,
  title,
  side,
  onOpen,
  children,
}: {
  event: KnownEvent['event'];
  day: string | undefined;
  title: string;
  side: ReactNode;
  onOpen: (seq: number) => void;
  children: ReactNode;
}) {
  return (
    <div className={styles['event']}>
      {day === undefined ? null : <span className={styles['rowDay']}>{day}</span>}
      <EventSign kind={event.kind} />
      <div>
        {/* The row itself is what the keyboard reaches; Enter does the same. */}
        <button
          type="button"
          tabIndex={-1}
          className={buttonStyles['bare']}
          onClick={() => onOpen(event.seq)}
        >
          <Text as="div" size="normal" weight="strong" isCut>
            {title}
          </Text>
        </button>
        {children}
      </div>
      {side}
    </div>
  );
}

/** Who did it, or `children` in that place, and when. */
function WhoAndWhen({ event, children }: { event: KnownEvent['event']; children?: ReactNode }) {
  const actor = actorText(event.actor);
  return (
    <>
      <div className={styles['who']}>
        {children ?? (
          <Text tone="soft" size="small" isCut title={actor.full}>
            {actor.short}
          </Text>
        )}
      </div>
      <time className={styles['when']} dateTime={event.at} title={fullText(event.at)}>
        <Text as="span" tone="soft" size="small" isTabular>
          {clockText(event.at)}
          <span className={styles['date']}>{shortDayText(event.at)}</span>
        </Text>
      </time>
    </>
  );
}

function RowOutline() {
  return (
    <div className={styles['event']} data-outline="true">
      <span />
      <div data-appears="late">
        <p className={listStyles['outline']} />
        <p className={listStyles['outline']} />
      </div>
      <Text as="span" isUnseen>
        {text.loading}
      </Text>
    </div>
  );
}
