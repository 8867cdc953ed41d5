import type { Query, QueryClient } from '@tanstack/react-query';

import type { CallsNotice } from '../../../contract/calls/call.ts';
import type { VoicesNotice } from '../../../contract/menu/voice-pack.ts';
import type { ChangeNotice } from '../../../contract/service/portal.ts';
import type { ChangeStream } from './change-stream.ts';
import { noteStale } from './window-cache.ts';

/** Changes that come close together are one: a view is read again this often at the most, in milliseconds. */
const gatheringMs = 200;

/**
 * Has whatever a change touches read again, from now on.
 *
 * Invariants:
 * 1. Nothing is polled. While the service is away the stream tries to open itself again.
 * 2. One reading of a thing at a time. Changes during a reading cause exactly one more, however many they are.
 * 3. The first change after a calm is followed at once.
 */
// see decisions/windows-and-live-data.md
export function followChanges(cache: QueryClient, stream: ChangeStream): void {
  /** What changed of each kind: the subjects. */
  const told = new Map<string, Set<string>>();
  /** What changed while it was being read. */
  const changedMeanwhile = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function readAgain(query: Query): void {
    if (query.state.fetchStatus === 'fetching') {
      changedMeanwhile.add(query.queryHash);
      return;
    }
    void cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }

  function flush(): void {
    timer = undefined;
    if (told.size === 0) return;
    const changes = [...told];
    told.clear();
    for (const query of cache.getQueryCache().getAll()) {
      const about = aboutOf(query);
      const subjects = changes
        .filter(([kind]) => about.length === 0 || about.some((start) => kind.startsWith(start)))
        .flatMap(([, some]) => [...some]);
      for (const subject of subjects) noteStale(query, subject);
      if (subjects.length > 0) readAgain(query);
    }
    timer = setTimeout(flush, gatheringMs);
  }

  function tell(kind: string, subject: string): void {
    const subjects = told.get(kind) ?? new Set();
    told.set(kind, subjects.add(subject));
    if (timer === undefined) flush();
  }

  function readEverythingAgain(): void {
    for (const query of cache.getQueryCache().getAll()) {
      noteStale(query, null);
      readAgain(query);
    }
  }

  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || (event.action.type !== 'success' && event.action.type !== 'error'))
      return;
    if (changedMeanwhile.delete(event.query.queryHash)) queueMicrotask(() => readAgain(event.query as Query));
  });
  stream.on('change', ({ data }) => {
    const { kind, subject } = JSON.parse(String(data)) as ChangeNotice;
    tell(kind, subject);
  });
  // A request through the proxy, which is no change yet: its minute is one.
  stream.on('use', ({ data }) => {
    const { subject } = JSON.parse(String(data)) as Pick<ChangeNotice, 'subject'>;
    tell('proxy.use', subject);
  });
  // What is neither an event of the history nor shown from the notice itself.
  stream.on('pbx', () => tell('pbx.state', 'pbx'));
  stream.on('speech', () => tell('speech.state', 'speech'));
  stream.on('voices', ({ data }) => {
    const { changed } = JSON.parse(String(data)) as VoicesNotice;
    tell(changed === 'voices' ? 'voice.changed' : 'adding.progress', 'voices');
  });
  stream.on('calls', ({ data }) => {
    const { ended } = JSON.parse(String(data)) as Pick<CallsNotice, 'ended'>;
    for (const id of ended) tell('calls.ended', id);
  });
  stream.on('open', readEverythingAgain); // after a gap, in which changes may have been missed
  stream.on('reset', readEverythingAgain); // too much was missed to be told one by one
  stream.on('error', readEverythingAgain); // the reading finds out why, and says so
}

function aboutOf({ meta }: Query): readonly string[] {
  return (meta?.['about'] ?? []) as readonly string[];
}
