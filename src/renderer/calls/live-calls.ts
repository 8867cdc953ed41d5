import { useEffect } from 'react';
import type { CallsNotice, LiveCall } from '../../contract/calls/call.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { changeStream } from '../kit/live/change-stream.ts';
import type { LiveView, Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { changeKnown, windowCache } from '../kit/live/window-cache.ts';

/**
 * The calls that are in menus now, the oldest first.
 *
 * Read once; then the notices of the stream are applied to it. Those that come while it is read are applied to what was read:
 * it may be from before them.
 */
const liveCalls: Resource<readonly LiveCall[]> = {
  key: ['calls', 'live'],
  // Calls of a connection that broke may be gone.
  about: ['pbx.'],
  read: async (signal) => {
    const notices: CallsNotice[] = [];
    const stop = changeStream.on('calls', (event) => notices.push(noticeOf(event)));
    try {
      const reply = await askPortal('liveCalls', { signal });
      if (reply.kind !== 'ok') return reply;
      return { kind: 'ok', value: notices.reduce<readonly LiveCall[]>(withNotice, reply.value.calls) };
    } finally {
      stop();
    }
  },
};

/** What a notice of the stream makes of the calls. One that is not known and has ended is left alone. */
export function withNotice(calls: readonly LiveCall[], { changed, ended }: CallsNotice): readonly LiveCall[] {
  if (changed.length === 0 && ended.length === 0) return calls;
  const byId = new Map(calls.map((call) => [call.id, call]));
  for (const call of changed) byId.set(call.id, call);
  for (const id of ended) byId.delete(id);
  return [...byId.values()];
}

function noticeOf({ data }: MessageEvent): CallsNotice {
  return JSON.parse(String(data)) as CallsNotice;
}

let followers = 0;
let stopFollowing: (() => void) | undefined;

/** The calls that are in menus now, kept up to date while a view shows them. */
export function useLiveCalls(): LiveView<readonly LiveCall[]> {
  const live = useLive(liveCalls);
  useEffect(() => {
    followers += 1;
    if (followers === 1) {
      stopFollowing = changeStream.on('calls', (event) =>
        changeKnown(windowCache, liveCalls, (calls) => withNotice(calls, noticeOf(event))),
      );
      // Nobody applied the notices that came since it was shown last.
      const known = windowCache.getQueryState(liveCalls.key);
      if (known?.data !== undefined && known.fetchStatus === 'idle')
        void windowCache.invalidateQueries({ queryKey: liveCalls.key, exact: true });
    }
    return () => {
      followers -= 1;
      if (followers === 0) stopFollowing?.();
    };
  }, []);
  return live;
}
