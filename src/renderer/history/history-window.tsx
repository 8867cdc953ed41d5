import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { maxSearchLength, eventTitle } from '../../text/window/events.ts';
import { windowTitle } from '../../text/window/window.ts';
import { Text } from '../kit/text.tsx';
import { historyText as text, verificationText } from '../../text/window/history-text.ts';
import { type HistoryFilters, eventGroups } from '../../contract/history/history.ts';
import { historyExport } from '../../contract/downloads.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { Row } from '../kit/layout.tsx';
import { ListPage, useSettled, FilterSelect } from '../kit/list/list-page.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo, setSearch, useSearch } from '../kit/navigation.ts';
import type { RowsHandle } from '../kit/list/virtual-rows.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { downloadFile } from '../kit/save-file.ts';
import { useAct } from '../kit/use-act.ts';
import { EventDialog } from './event-dialog.tsx';
import { useEventReader, useKnownEvent } from './event-reader.ts';
import { exportPath, filterNames, filtersOf, isFiltered } from './history-filters.ts';
import {
  HistoryPanel,
  UnreadableNotice,
  useShownRows,
  useVerification,
  useVerifyOnRequest,
  VerificationNotice,
  VerificationSentence,
} from './history-panel.tsx';
import { historyMatches, type MatchedRows, type SaveRow } from './matched-rows.ts';
import styles from './history.module.css';
import { eventKindNames } from '../../contract/history/audit-event.ts';
import buttonStyles from '../kit/button.module.css';
import { Choice } from '../kit/choice.tsx';
import { DayField } from '../kit/field.tsx';
import { Icon } from '../kit/icon.tsx';

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

const { export: exportText } = text;

/** The events that are shown, as a file, which the browser or the system asks a place for. */
function ExportMenu({ filters, count }: { filters: HistoryFilters; count: number }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const { state, run } = useAct();
  const isBusy = state.kind === 'busy';

  async function download(event: MouseEvent<HTMLAnchorElement>, format: string): Promise<void> {
    event.preventDefault();
    const path = event.currentTarget.href;
    if ((await run(format, () => downloadFile(path))) !== null) setOpen(false);
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen) return;
    setOpen(false);
    buttonRef.current?.focus();
  }
  function leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  }

  return (
    <div className={styles['menu']} onKeyDown={press} onBlur={leave}>
      <ActionButton ref={buttonRef} shows={{ id, isShown: isOpen }} onPress={() => setOpen(!isOpen)}>
        {exportText.open}
      </ActionButton>
      <ul id={id} className={styles['formats']} hidden={!isOpen}>
        {exportText.formats.map(({ format, name, what }) => (
          <li key={format}>
            <a
              className={styles['format']}
              href={exportPath(historyExport.path, format, filters)}
              download
              onClick={(event) => void download(event, format)}
            >
              <Text as="span" size="medium" weight="strong">
                {name}
              </Text>
              <Text as="span" tone="soft" size="small">
                {what}
              </Text>
            </a>
          </li>
        ))}
        <li className={styles['count']}>
          <Text tone="soft" size="small">
            {isBusy ? exportText.reading : exportText.count(count)}
          </Text>
          <FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />
        </li>
      </ul>
    </div>
  );
}

const results = (['', 'ok', 'attention', 'failed'] as const).map((value) => ({
  value,
  label: text.results[value],
}));

/** Which events are left out, all kept in the window's address. */
function EventFilters({
  filters,
  about,
}: {
  filters: HistoryFilters;
  /** What the subject is called, when the view is of one only. */
  about: string | undefined;
}) {
  return (
    <>
      <KindSelect kind={filters.kind} />
      <Choice
        label={text.result}
        options={results}
        value={filters.result ?? ''}
        onChange={(result) => setSearch({ result })}
      />
      <DateField label={text.from} name="from" />
      <DateField label={text.until} name="to" />
      {filters.subject === undefined ? null : (
        <button
          type="button"
          className={buttonStyles['button']}
          data-rank="chosen"
          aria-label={text.onlyLabel(about ?? filters.subject)}
          onClick={() => setSearch({ subject: undefined })}
        >
          <Row as="span" gap={2} align="center">
            <Text as="span" isCut>
              {text.only(about ?? filters.subject)}
            </Text>
            <Icon name="cross" />
          </Row>
        </button>
      )}
    </>
  );
}

/** The first or the last day that is shown, kept in the address as it is typed. */
function DateField({ label, name }: { label: string; name: 'from' | 'to' }) {
  const value = useSearch().get(name) ?? '';
  return (
    <DayField
      label={label}
      value={value}
      onChange={(day) => setSearch({ [name]: day === '' ? undefined : day })}
    />
  );
}

/** Which kinds of event are shown: all, a whole group, or one. */
function KindSelect({ kind }: { kind: string | undefined }) {
  const isListed = kind?.includes(',') === true; // several at once come by a link only
  return (
    <FilterSelect
      name="kind"
      label={text.kind}
      all={text.everyKind}
      options={isListed ? [{ value: kind, label: text.severalKinds }] : []}
    >
      {eventGroups.map((group) => {
        const kinds = eventKindNames.filter((name) => name.startsWith(group));
        const name = text.groups[group] ?? group;
        return (
          <optgroup key={group} label={name}>
            {kinds.length > 1 ? <option value={group}>{text.wholeGroup(name)}</option> : null}
            {kinds.map((one) => (
              <option key={one} value={one}>
                {eventTitle(one)}
              </option>
            ))}
          </optgroup>
        );
      })}
    </FilterSelect>
  );
}
