import { type MouseEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import type { CallFilters, CallPage, LiveCall } from '../../contract/calls/call.ts';
import type { PbxView } from '../../contract/calls/pbx.ts';
import { callStarts } from '../../core/calls/call-starts.ts';
import { callDoing, callEndLabels, callerText, pressedKeys } from '../../text/calls/calls-text.ts';
import { callsText } from '../../text/calls/calls-window.ts';
import { distinctTitles } from '../../text/menu/phone-menu.ts';
import { windowTitle } from '../../text/window/window.ts';
import { storedMenus } from '../ivr/read-menus.ts';
import { pbxPath } from '../kit/window-paths.ts';
import { Button } from '../kit/button.tsx';
import buttonStyles from '../kit/button.module.css';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Row } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { isNarrowedBy } from '../kit/list/address-filters.ts';
import { FilterSelect, ListPage, useSettled } from '../kit/list/list-page.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { goTo, setSearch, useSearch } from '../kit/navigation.ts';
import { downloadFile } from '../kit/save-file.ts';
import { Text } from '../kit/text.tsx';
import { useAct } from '../kit/use-act.ts';
import { useMinute } from '../kit/use-minute.ts';
import { type RowsHandle, VirtualRows } from '../kit/list/virtual-rows.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { allPbxs, PbxStateSign, PbxTroubleNotice } from '../pbx/pbx-state.tsx';
import { NoPbx } from '../pbx/pbxs-window.tsx';
import {
  CallList,
  callRecords,
  callsExportPath,
  filtersIn,
  periodIn,
  periodKinds,
  recordSteps,
  useKnownNames,
} from './call-list.tsx';
import { PeriodChoice } from './period.tsx';
import { Card } from '../kit/card.tsx';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { useMedia } from '../kit/use-media.ts';
import styles from './calls.module.css';
import { useLiveCalls } from './live-calls.ts';

const { records: text } = callsText;

/** How long nothing is typed before it is searched for, in milliseconds. */
const typingMs = 150;

/** The calls under way, and the records of those that ended: searched, filtered, exported. */
export function CallsWindow() {
  const address = useSearch();
  const now = useMinute();
  const wanted = JSON.stringify(filtersIn(address, now));
  const settled = useSettled(wanted, typingMs);
  const filters = useMemo(() => JSON.parse(settled) as CallFilters, [settled]);
  const [step, setStep] = useState(0);
  const pbxs = useLive(allPbxs);
  const records = useLive(callRecords(filters, recordSteps[step] ?? recordSteps[0]));
  const live = combineLive({ pbxs, records });
  const known = live.known?.value;
  const isFresh =
    known?.pbxs.length === 0 && known.records.total === 0 && !isNarrowedBy(address, filterNames);

  return (
    <WindowFrame
      title={windowTitle(callsText.title)}
      heading={callsText.title}
      below={
        known === undefined || isFresh ? (
          <Text tone="soft">{callsText.lead}</Text>
        ) : (
          <Systems pbxs={known.pbxs} />
        )
      }
      live={live}
      nav={<WindowNav current="calls" />}
    >
      {known === undefined ? null : (
        <LiveAndEnded isFresh={isFresh} pbxs={known.pbxs}>
          <Records
            filters={filters}
            page={known.records}
            pbxs={known.pbxs}
            isSearching={wanted !== settled}
            onMore={step + 1 < recordSteps.length ? () => setStep(step + 1) : undefined}
          />
        </LiveAndEnded>
      )}
    </WindowFrame>
  );
}

/** The calls under way above the records, or how to begin where there can be none (`isFresh`). */
function LiveAndEnded({
  isFresh,
  pbxs,
  children,
}: {
  isFresh: boolean;
  pbxs: readonly PbxView[];
  children: ReactNode;
}) {
  if (isFresh) return <NoPbx />;
  return (
    <>
      {pbxs.map((pbx) => (
        <PbxTroubleNotice key={pbx.id} pbx={pbx} />
      ))}
      <LiveCard />
      {children}
    </>
  );
}

/** The telephone systems with their states, and the way to all of them. */
function Systems({ pbxs }: { pbxs: readonly PbxView[] }) {
  return (
    <Row gap={4} wraps align="center">
      {pbxs.map(({ id, name, state }) => (
        <Row key={id} gap={2} align="center">
          <Link to={pbxPath(name)}>
            <bdi>{name}</bdi>
          </Link>
          <PbxStateSign state={state} />
        </Row>
      ))}
      {pbxs.length === 0 ? <Text tone="soft">{callsText.noSystem}</Text> : null}
      <Link to="/telephone-systems">{callsText.systems}</Link>
    </Row>
  );
}

/** The parts of the address that filter. */
const filterNames = ['text', 'menu', 'end', 'system', 'period', 'from', 'to'] as const;

/** The records with their search, filters and export. */
function Records({
  filters,
  page,
  pbxs,
  isSearching,
  onMore,
}: {
  filters: CallFilters;
  page: CallPage;
  pbxs: readonly PbxView[];
  isSearching: boolean;
  /** Undefined: no more can be shown. */
  onMore: (() => void) | undefined;
}) {
  const address = useSearch();
  const listRef = useRef<RowsHandle>(null);
  const { menus = [], parts = [] } = useLive(storedMenus).known?.value ?? {};

  return (
    <ListPage
      search={{ name: 'text', what: text.search, placeholder: text.searchHint }}
      filterNames={filterNames}
      rows={page.total}
      count={text.count(page.total)}
      buttons={<ExportLink filters={filters} />}
      filters={(isFew) => (
        <>
          <PeriodChoice
            kinds={periodKinds}
            period={periodIn(address)}
            onChange={({ kind, from, to }) => setSearch({ period: kind, from, to })}
          />
          {isFew ? null : (
            <>
              <FilterSelect
                name="menu"
                label={text.menu}
                all={text.everyMenu}
                options={Array.from(distinctTitles(callStarts(menus, parts)), ([value, label]) => ({
                  value,
                  label,
                }))}
              />
              <FilterSelect name="end" label={text.end} all={text.everyEnd} options={ends} />
              {pbxs.length < 2 ? null : (
                <FilterSelect
                  name="system"
                  label={text.system}
                  all={text.everySystem}
                  options={pbxs.map(({ name }) => ({ value: name, label: name }))}
                />
              )}
            </>
          )}
        </>
      )}
      none={
        isNarrowedBy(address, filterNames)
          ? text.none
          : {
              title: text.empty.title,
              text: text.empty.text,
              more: <Button onPress={() => goTo('/telephone-systems')}>{text.empty.open}</Button>,
            }
      }
      onDown={() => listRef.current?.focusRow(0)}
    >
      <CallList ref={listRef} calls={page.calls} isSearching={isSearching} />
      {page.next === null ? null : <MoreCalls page={page} onMore={onMore} />}
    </ListPage>
  );
}

function MoreCalls({ page, onMore }: { page: CallPage; onMore: (() => void) | undefined }) {
  if (onMore === undefined) {
    return (
      <Text tone="soft" size="medium">
        {text.tooMany(page.calls.length, page.total)}
      </Text>
    );
  }
  return (
    <Row gap={2} justify="center">
      <Button onPress={onMore}>{text.more}</Button>
    </Row>
  );
}

const ends = (['destination', 'hung_up', 'failed'] as const).map((value) => ({
  value,
  label: callEndLabels[value],
}));

/** The records that match as a file. */
function ExportLink({ filters }: { filters: CallFilters }) {
  const { state, run } = useAct();
  function download(event: MouseEvent<HTMLAnchorElement>): void {
    event.preventDefault();
    const path = event.currentTarget.href;
    void run('export', () => downloadFile(path));
  }
  return (
    <>
      <a className={buttonStyles['link']} href={callsExportPath(filters)} download onClick={download}>
        {state.kind === 'busy' ? text.exporting : text.export}
      </a>
      <FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />
    </>
  );
}

const { live: liveText } = callsText;
const liveRowHeights = { wide: 52, narrow: 72 } as const;
/** How many rows are shown before the list scrolls. */
const mostRows = 8;

/** The calls that are in menus now. */
export function LiveCard() {
  const calls = useLiveCalls().known?.value;
  const isNarrow = useMedia('(max-width: 44rem)');
  const { menuName } = useKnownNames();
  if (calls === undefined) return null;
  const height = isNarrow ? liveRowHeights.narrow : liveRowHeights.wide;
  return (
    <Card title={liveText.title} aside={calls.length === 0 ? undefined : liveText.count(calls.length)}>
      {calls.length === 0 ? (
        <Text tone="soft">{liveText.empty}</Text>
      ) : (
        <div style={{ height: `${(height * Math.min(calls.length, mostRows)) / 16}rem` }}>
          <VirtualRows
            key={isNarrow ? 'narrow' : 'wide'}
            label={liveText.list}
            count={calls.length}
            rowHeight={height}
            renderRow={(index) => {
              const call = calls[index];
              if (call === undefined) return null;
              return <LiveRow call={call} menu={menuName(call.menu) ?? text.deletedMenu} />;
            }}
          />
        </div>
      )}
    </Card>
  );
}

function LiveRow({ call, menu }: { call: LiveCall; menu: string }) {
  const { caller, keys, doing, draft, menu_since: since } = call;
  return (
    <div className={styles['live']}>
      <Text weight="strong" isCut>
        <bdi>{callerText(caller)}</bdi>
      </Text>
      <Text isCut title={menu}>
        {draft === null ? <bdi>{menu}</bdi> : liveText.draft}
      </Text>
      <Text tone="soft" size="small" isTabular isCut>
        {keys.length === 0 ? text.noKeys : text.keys(pressedKeys(keys))}
      </Text>
      <Text tone="soft" size="small" isTabular isCut>
        <RichText text={liveText.since(callDoing[doing])} parts={{ at: <Moment at={since} /> }} />
      </Text>
    </div>
  );
}
