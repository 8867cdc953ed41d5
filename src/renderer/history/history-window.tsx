import { useMemo, useRef, useState } from 'react';
import { maxSearchLength } from '../../text/window/events.ts';
import { windowTitle } from '../../text/window/window.ts';
import { Text } from '../kit/text.tsx';
import { historyText as text, verificationText } from '../../text/window/history-text.ts';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { Row } from '../kit/layout.tsx';
import { ListPage, useSettled } from '../kit/list/list-page.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo, setSearch, useSearch } from '../kit/navigation.ts';
import type { RowsHandle } from '../kit/list/virtual-rows.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { EventDialog } from './event-dialog.tsx';
import { useEventReader, useKnownEvent } from './event-reader.ts';
import { ExportMenu } from './export-menu.tsx';
import { EventFilters } from './history-filter-bar.tsx';
import { filterNames, filtersOf, isFiltered } from './history-filters.ts';
import { HistoryPanel, UnreadableNotice, useShownRows } from './history-panel.tsx';
import { historyMatches, type MatchedRows, type SaveRow } from './matched-rows.ts';
import {
  useVerification,
  useVerifyOnRequest,
  VerificationNotice,
  VerificationSentence,
} from './verification-notice.tsx';

/** How long nothing is typed before it is searched for, in milliseconds. */
const typingMs = 100;

/**
 * Everything that ever happened, as one list: searched, filtered, live, checked and exported.
 *
 * The window's address says what is searched for and which event is open, so that a link leads to both.
 */
export function HistoryWindow() {
  const search = useSearch();
  const address = search.toString();
  const wanted = filtersOf(search);
  const settled = useSettled(address, typingMs);
  const filters = useMemo(() => filtersOf(new URLSearchParams(settled)), [settled]);
  const live = useLive(useMemo(() => historyMatches(filters), [filters]));
  const reader = useEventReader();
  const listRef = useRef<RowsHandle>(null);
  const opened = openedEvent(search);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { rows: held, news, showNews, hold } = useShownRows(live.known?.value, opened !== undefined);
  const rows = useMemo(() => held?.withOpen(open), [held, open]);
  const { state, verify } = useVerification();
  useVerifyOnRequest(verify);
  const newest = useKnownEvent(reader, rows === undefined ? 0 : rows.seqAt(0));
  const row = opened === undefined ? undefined : rows?.rowOf(opened);
  const isEmpty = rows === undefined || rows.lastSeq === 0;

  function close(): void {
    setSearch({ event: undefined });
    if (row !== undefined) listRef.current?.focusRow(row);
  }

  function toggle({ oldest, isOpen }: SaveRow): void {
    const next = new Set(open);
    if (isOpen) next.delete(oldest);
    else next.add(oldest);
    setOpen(next);
  }

  return (
    <WindowFrame
      title={windowTitle(text.title)}
      heading={text.title}
      below={
        isEmpty ? null : (
          <Row gap={4} wraps>
            <FoundCount rows={rows} />
            <VerificationSentence state={state} />
          </Row>
        )
      }
      live={live}
      nav={<WindowNav current="history" />}
      fillsWindow={!isEmpty}
    >
      {rows?.lastSeq === 0 ? <NothingYet /> : null}
      {isEmpty ? null : (
        <>
          <ListPage
            search={{
              name: 'text',
              what: text.search,
              placeholder: text.searchHint,
              maxLength: maxSearchLength,
            }}
            filterNames={filterNames}
            rows={rows.count}
            buttons={
              <>
                <ExportMenu filters={rows.filters} count={rows.events} />
                <Button onPress={verify}>
                  {state.kind === 'checking' ? verificationText.checking : verificationText.verify}
                </Button>
              </>
            }
            filters={(isFew) =>
              isFew ? null : (
                <EventFilters
                  filters={wanted}
                  about={newest?.event.subject === filters.subject ? newest?.name : undefined}
                />
              )
            }
            notice={
              <>
                <VerificationNotice state={state} />
                <UnreadableNotice reader={reader} />
              </>
            }
            none={text.none}
            onDown={() => listRef.current?.focusRow(0)}
          >
            <HistoryPanel
              ref={listRef}
              reader={reader}
              rows={rows}
              isSearching={JSON.stringify(rows.filters) !== JSON.stringify(wanted)}
              news={news}
              onNews={showNews}
              onOpen={openEvent}
              onHold={hold}
              onToggle={toggle}
            />
          </ListPage>
          {opened === undefined ? null : (
            <EventDialog
              reader={reader}
              seq={opened}
              newer={row === undefined || row === 0 ? undefined : rows.seqAt(row - 1)}
              older={row === undefined || row + 1 >= rows.count ? undefined : rows.seqAt(row + 1)}
              onMove={openEvent}
              onClose={close}
            />
          )}
        </>
      )}
    </WindowFrame>
  );
}

function openEvent(seq: number): void {
  setSearch({ event: String(seq) });
}

function openedEvent(search: URLSearchParams): number | undefined {
  const event = search.get('event') ?? '';
  return /^[1-9]\d{0,14}$/.test(event) ? Number(event) : undefined;
}

/** How many events the list has, of how many. A screen reader is told after each search, not of every new event. */
function FoundCount({ rows }: { rows: MatchedRows }) {
  const [said, setSaid] = useState(rows);
  if (said.filters !== rows.filters) setSaid(rows);
  return (
    <>
      <Text tone="soft" size="medium" isTabular>
        {countText(rows)}
      </Text>
      <Text role="status" isUnseen>
        {isFiltered(said.filters) ? countText(said) : ''}
      </Text>
    </>
  );
}

function countText({ filters, events: count, lastSeq }: MatchedRows): string {
  return isFiltered(filters) ? text.found(count, lastSeq) : text.count(lastSeq);
}

/** In the place of the list while there is nothing to list, with what makes the first event. */
function NothingYet() {
  return (
    <Empty label={text.events} title={text.empty.title} text={text.empty.text}>
      <Button rank="main" onPress={() => goTo('/tokens/issue')}>
        {text.empty.issue}
      </Button>
    </Empty>
  );
}
