import type { ReactNode, Ref } from 'react';
import { type CallEnd, type CallRecord, CallFilters, type CallPage } from '../../contract/calls/call.ts';
import { callEndText, callerText, callSpanText, pressedKeys } from '../../text/calls/calls-text.ts';
import { callsText } from '../../text/calls/calls-window.ts';
import { callPath } from '../kit/window-paths.ts';
import { Row } from '../kit/layout.tsx';
import { RowsPanel } from '../kit/list/list-page.tsx';
import { Link } from '../kit/link.tsx';
import { Moment } from '../kit/moment.tsx';
import { goTo } from '../kit/navigation.ts';
import { drawings, Shape, type ShapeTone } from '../kit/shape.tsx';
import { Text } from '../kit/text.tsx';
import { useMedia } from '../kit/use-media.ts';
import { type RowsHandle, VirtualRows } from '../kit/list/virtual-rows.tsx';
import styles from './calls.module.css';
import { callsExport } from '../../contract/downloads.ts';
import { extensions } from '../directory/use-directory.ts';
import { storedMenus } from '../ivr/read-menus.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { readFilters } from '../kit/list/address-filters.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import type { KnownNames } from '../../text/menu/phone-menu.ts';
import { boundsOf, type Period } from './period.tsx';

const { records: text } = callsText;

/** In pixels: two lines beside each other, or one below the other. */
const rowHeights = { wide: 64, narrow: 108 } as const;

/** Records of calls, each with the way to its page. */
export function CallList({
  ref,
  calls,
  isSearching,
}: {
  ref?: Ref<RowsHandle>;
  calls: readonly CallRecord[];
  isSearching: boolean;
}) {
  const isNarrow = useMedia('(max-width: 44rem)');
  const { menuName, ...known } = useKnownNames();
  const height = isNarrow ? rowHeights.narrow : rowHeights.wide;

  return (
    <RowsPanel
      aria-label={text.title}
      rowsHeight={height * calls.length}
      around={24}
      isSearching={isSearching}
    >
      <VirtualRows
        key={isNarrow ? 'narrow' : 'wide'}
        {...(ref === undefined ? {} : { ref })}
        label={text.list}
        count={calls.length}
        rowHeight={height}
        onOpen={(index) => {
          const call = calls[index];
          if (call !== undefined) goTo(callPath(call.id));
        }}
        renderRow={(index) => {
          const call = calls[index];
          if (call === undefined) return null;
          return (
            <CallRow
              call={call}
              menu={menuName(call.ivr) ?? text.deletedMenu}
              end={callEndText(call.end, known, menuName)}
            />
          );
        }}
      />
    </RowsPanel>
  );
}

function CallRow({ call, menu, end }: { call: CallRecord; menu: string; end: string }) {
  const { id, caller, started_at: began, ended_at: ended, keys } = call;
  const tookMs = Date.parse(ended) - Date.parse(began);
  return (
    <div className={styles['row']}>
      <div className={styles['who']}>
        <Text weight="strong" isCut>
          <Link to={callPath(id)} className={styles['open']}>
            <bdi>{callerText(caller)}</bdi>
          </Link>
        </Text>
        <Text tone="soft" size="small" isCut>
          {call.draft === null ? null : `${callsText.live.draft}: `}
          <bdi>{menu}</bdi>
        </Text>
      </div>
      <div>
        <Row gap={2} align="center">
          <EndSign end={call.end} />
          <Text isCut title={end}>
            {end}
          </Text>
        </Row>
        <Text tone="soft" size="small" isTabular isCut>
          {keys.length === 0 ? text.noKeys : text.keys(pressedKeys(keys))}
        </Text>
      </div>
      <div className={styles['when']}>
        <Text as="div" isTabular size="medium">
          <Moment at={began} />
        </Text>
        <Text tone="soft" size="small" isTabular>
          {callSpanText(tookMs)}
        </Text>
      </div>
    </div>
  );
}

const endSigns: Record<CallEnd['kind'], { readonly tone: ShapeTone; readonly drawing: ReactNode }> = {
  destination: { tone: 'good', drawing: drawings.disc },
  hung_up: { tone: 'warn', drawing: drawings.ring },
  failed: { tone: 'bad', drawing: drawings.triangle },
};

/** How a call ended, by its shape; the words stand beside it. */
export function EndSign({ end: { kind } }: { end: CallEnd }) {
  const { tone, drawing } = endSigns[kind];
  return (
    <Shape tone={tone} isSmall>
      {drawing}
    </Shape>
  );
}

/** How many records are read at once: at first, and each time that more are asked for. */
export const recordSteps = [100, 400, 1000] as const;

/** The records that match, newest first. */
export function callRecords(filters: CallFilters, limit: number): Resource<CallPage> {
  return {
    key: ['calls', 'records', JSON.stringify(filters), limit],
    about: ['calls.'],
    keepsPrevious: true,
    read: (signal) => askPortal('listCalls', { query: { ...filters, limit: String(limit) }, signal }),
  };
}

/** The period in the window's address. */
export function periodIn(address: URLSearchParams): Period {
  const kind = periodKinds.find((one) => one === address.get('period')) ?? 'month';
  return { kind, from: address.get('from') ?? '', to: address.get('to') ?? '' };
}

export const periodKinds = ['today', 'week', 'month', 'custom', 'all'] as const;

/** How the window's address filters the records. */
export function filtersIn(address: URLSearchParams, nowMs: number): CallFilters {
  return {
    ...boundsOf(periodIn(address), nowMs),
    ...readFilters(CallFilters.shape, { ivr: 'menu', pbx: 'system', end: 'end', search: 'text' }, address),
  };
}

/** Where the records that match are had as a file. */
export function callsExportPath(filters: CallFilters): string {
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  return `${callsExport.path}?${query.toString()}`;
}

/** What the menus and extensions are called now. */
export function useKnownNames(): KnownNames & { readonly menuName: (id: string) => string | undefined } {
  const { menus: stored = [], parts = [] } = useLive(storedMenus).known?.value ?? {};
  const menus = [...stored, ...parts];
  const known = useLive(extensions.live).known?.value ?? [];
  return { menus, extensions: known, menuName: (id) => menus.find((one) => one.id === id)?.name };
}
