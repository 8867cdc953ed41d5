import { useMemo, useRef } from 'react';

import { Button } from '../kit/button.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';
import type { RowsHandle } from '../kit/virtual-rows.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { EventDialog } from './event-dialog.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FoundCount } from './found-count.tsx';
import { filtersOf } from './history-filters.ts';
import { HistoryPanel } from './history-panel.tsx';
import styles from './history-window.module.css';
import { NothingYet } from './nothing-yet.tsx';
import { historyMatches } from './read-matches.ts';
import { useEventReader } from './use-event-reader.ts';
import { useKnownEvent } from './use-event.ts';
import { useSettled } from './use-settled.ts';
import { useShownRows } from './use-shown-rows.ts';
import { useVerification } from './use-verification.ts';
import { useVerifyWish } from './use-verify-wish.ts';
import { VerificationNotice } from './verification-notice.tsx';
import { VerificationSentence } from './verification-sentence.tsx';

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
  const { rows, news, showNews, hold } = useShownRows(live.known?.value, opened !== undefined);
  const { state, verify } = useVerification();
  useVerifyWish(verify);
  const newest = useKnownEvent(reader, rows === undefined ? 0 : rows.seqAt(0));
  const row = opened === undefined ? undefined : rows?.rowOf(opened);
  const isEmpty = rows === undefined || rows.lastSeq === 0;

  function close(): void {
    setSearch({ event: undefined });
    if (row !== undefined) listRef.current?.focusRow(row);
  }

  return (
    <WindowFrame
      title="History — Rotavox"
      heading="History"
      below={
        isEmpty ? null : (
          <div className={styles['facts']}>
            <FoundCount rows={rows} />
            <VerificationSentence state={state} />
          </div>
        )
      }
      live={live}
      nav={<WindowNav current="history" />}
    >
      {rows?.lastSeq === 0 ? <NothingYet /> : null}
      {isEmpty ? null : (
        <>
          <FilterBar
            typed={search.get('text') ?? ''}
            filters={wanted}
            about={newest?.event.subject === filters.subject ? newest?.name : undefined}
            onDown={() => listRef.current?.focusRow(0)}
          >
            <ExportMenu filters={rows.filters} count={rows.count} />
            <Button onPress={verify}>{state.kind === 'checking' ? 'Checking …' : 'Verify journal'}</Button>
          </FilterBar>
          <VerificationNotice state={state} />
          <HistoryPanel
            ref={listRef}
            reader={reader}
            rows={rows}
            isSearching={JSON.stringify(rows.filters) !== JSON.stringify(wanted)}
            news={news}
            onNews={showNews}
            onOpen={openEvent}
            onHold={hold}
          />
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
