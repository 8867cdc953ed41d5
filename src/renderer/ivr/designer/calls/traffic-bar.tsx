import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { CallsNotice, Traffic } from '../../../../contract/calls/call.ts';
import { problemText } from '../../../../text/window/connection.ts';
import { startOfDay } from '../../../../text/time.ts';
import { trafficText as text } from '../../../../text/menu/traffic.ts';
import { boundsOf, type Period, PeriodChoice } from '../../../calls/period.tsx';
import { askPortal } from '../../../kit/ask-portal.ts';
import { useStreamEvent } from '../../../kit/live/change-stream.ts';
import type { Resource } from '../../../kit/live/resource.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { Text } from '../../../kit/text.tsx';
import { useMinute } from '../../../kit/use-minute.ts';
import { useDesignerState } from '../use-designer.ts';
import styles from './designer-calls.module.css';
import { trafficByNode } from './draft-calls.ts';
import { useDraftCalls, useStoredIds } from './use-draft-calls.tsx';

const kinds = ['today', 'week', 'month', 'custom'] as const;

/** The traffic of the draft's menus in a period: totals here, and the numbers of each menu on its card. */
export function TrafficBar() {
  const now = useMinute();
  const [period, setPeriod] = useState<Period>({ kind: 'week', from: '', to: '' });
  const stored = useStoredIds();
  const ids = Object.values(stored);
  return (
    <section className={styles['bar']} aria-label={text.title}>
      <PeriodChoice kinds={kinds} period={period} onChange={setPeriod} />
      {ids.length === 0 ? (
        <Text tone="soft" size="medium">
          {text.notPublished}
        </Text>
      ) : (
        <Numbers resource={trafficOf(period, now, ids)} stored={stored} />
      )}
    </section>
  );
}

/** How long calls that end are gathered before the traffic is summed again, in milliseconds: it is a sum over all records. */
const gatheringMs = 10_000;

function Numbers({
  resource,
  stored,
}: {
  resource: Resource<Traffic>;
  stored: Readonly<Record<string, string>>;
}) {
  const live = useLive(resource);
  const traffic = live.known?.value;
  const cache = useQueryClient();
  const document = useDesignerState((state) => state.document);
  const { traffic: menus, exits } = useDraftCalls();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useMemo(
    () => (traffic === undefined ? null : trafficByNode(traffic, document, stored)),
    [traffic, document, stored],
  );

  useEffect(() => {
    menus.set(shown?.menus ?? new Map());
    exits.set(shown?.exits ?? new Map());
  }, [menus, exits, shown]);
  useEffect(
    () => () => {
      menus.set(new Map());
      exits.set(new Map());
    },
    [menus, exits],
  );
  useStreamEvent('calls', ({ data }) => {
    if ((JSON.parse(String(data)) as CallsNotice).ended.length === 0 || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void cache.invalidateQueries({ queryKey: ['traffic'] });
    }, gatheringMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  const { connection } = live;
  if (traffic === undefined)
    return connection.kind === 'asking' || connection.kind === 'live' ? null : (
      <Text tone="bad" size="medium" role="alert">
        {text.unknown} {problemText(connection.kind === 'signed-out' ? { kind: 'signed-out' } : connection)}
      </Text>
    );
  if (traffic.calls === 0)
    return (
      <Text tone="soft" size="medium" role="status">
        {text.none}
      </Text>
    );
  return (
    <>
      <Histogram traffic={traffic} />
      <Text size="medium" isTabular role="status" className={styles['totals']}>
        <strong>{text.calls(traffic.calls)}</strong>: {text.parts(traffic)}.{' '}
        {traffic.median_to_destination_ms === null
          ? null
          : `${text.median(traffic.median_to_destination_ms)}.`}
      </Text>
    </>
  );
}

const barHeight = 28;
const barWidth = 5;

/** Calls by hour or by day, small; the times without a call are left out of the reply and stay empty here. */
function Histogram({ traffic: { by, times } }: { traffic: Traffic }) {
  const stepMs = by === 'hour' ? 3_600_000 : 86_400_000;
  const first = Date.parse(times[0]?.at ?? '');
  const most = Math.max(1, ...times.map(({ calls }) => calls));
  const places = times.map(({ at }) => Math.round((Date.parse(at) - first) / stepMs));
  const width = ((places.at(-1) ?? 0) + 1) * barWidth;
  return (
    <figure className={styles['histogram']}>
      <svg
        viewBox={`0 0 ${width} ${barHeight}`}
        width={width}
        height={barHeight}
        role="img"
        aria-label={text.histogram[by]}
      >
        {times.map(({ at, calls }, index) => {
          const height = Math.max(2, (calls / most) * barHeight);
          return (
            <rect
              key={at}
              x={(places[index] ?? 0) * barWidth}
              y={barHeight - height}
              width={barWidth - 1}
              height={height}
            >
              <title>{text.bar(at, by, calls)}</title>
            </rect>
          );
        })}
      </svg>
      <Text as="span" tone="soft" size="tiny">
        {text.histogram[by]}
      </Text>
    </figure>
  );
}

/** The traffic of some menus. Nothing tells of a change by itself: calls that end are gathered first. */
function trafficOf(period: Period, nowMs: number, menus: readonly string[]): Resource<Traffic> {
  const { since = new Date(0).toISOString(), until = new Date(startOfDay(nowMs, 1)).toISOString() } =
    boundsOf(period, nowMs);
  return {
    key: ['traffic', since, until, menus.join(',')],
    about: ['calls.forgotten'],
    keepsPrevious: true,
    read: (signal) => askPortal('readTraffic', { query: { since, until, menus: menus.join(',') }, signal }),
  };
}
