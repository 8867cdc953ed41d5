import type { LiveCall } from '../../contract/calls/call.ts';
import { callDoing, callerText, pressedKeys } from '../../text/calls/calls-text.ts';
import { callsText } from '../../text/calls/calls-window.ts';
import { Card } from '../kit/card.tsx';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import { useMedia } from '../kit/use-media.ts';
import { VirtualRows } from '../kit/list/virtual-rows.tsx';
import { useKnownNames } from './call-records.ts';
import styles from './calls.module.css';
import { useLiveCalls } from './live-calls.ts';

const { live: text, records } = callsText;
const rowHeights = { wide: 52, narrow: 72 } as const;
/** How many rows are shown before the list scrolls. */
const mostRows = 8;

/** The calls that are in menus now. */
export function LiveCard() {
  const calls = useLiveCalls().known?.value;
  const isNarrow = useMedia('(max-width: 44rem)');
  const { menuName } = useKnownNames();
  if (calls === undefined) return null;
  const height = isNarrow ? rowHeights.narrow : rowHeights.wide;
  return (
    <Card title={text.title} aside={calls.length === 0 ? undefined : text.count(calls.length)}>
      {calls.length === 0 ? (
        <Text tone="soft">{text.empty}</Text>
      ) : (
        <div style={{ height: `${(height * Math.min(calls.length, mostRows)) / 16}rem` }}>
          <VirtualRows
            key={isNarrow ? 'narrow' : 'wide'}
            label={text.list}
            count={calls.length}
            rowHeight={height}
            renderRow={(index) => {
              const call = calls[index];
              if (call === undefined) return null;
              return <LiveRow call={call} menu={menuName(call.menu) ?? records.deletedMenu} />;
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
        {draft === null ? <bdi>{menu}</bdi> : text.draft}
      </Text>
      <Text tone="soft" size="small" isTabular isCut>
        {keys.length === 0 ? records.noKeys : records.keys(pressedKeys(keys))}
      </Text>
      <Text tone="soft" size="small" isTabular isCut>
        <RichText text={text.since(callDoing[doing])} parts={{ at: <Moment at={since} /> }} />
      </Text>
    </div>
  );
}
