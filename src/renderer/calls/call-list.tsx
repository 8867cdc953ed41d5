import type { ReactNode, Ref } from 'react';
import type { CallEnd, CallRecord } from '../../contract/calls/call.ts';
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
import { useKnownNames } from './call-records.ts';
import styles from './calls.module.css';

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
