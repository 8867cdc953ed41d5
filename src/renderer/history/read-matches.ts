import type { HistoryFilters } from '../../contract/history.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { windowCache } from '../kit/live/window-cache.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import { MatchedRows } from './matched-rows.ts';

/** Which events a filter lets through. After a change only the newer ones are asked for. */
export function historyMatches(filters: HistoryFilters): Resource<MatchedRows> {
  const key = ['history-matches', JSON.stringify(filters)];
  return {
    key,
    about: [],
    keepsPrevious: true,
    read: (signal) => {
      const known = windowCache.getQueryData<{ readonly value: MatchedRows }>(key)?.value;
      return readMatches(filters, known, signal);
    },
  };
}

async function readMatches(
  filters: HistoryFilters,
  known: MatchedRows | undefined,
  signal: AbortSignal,
): Promise<PortalReply<MatchedRows>> {
  const news = known === undefined ? filters : { ...filters, after: String(known.lastSeq) };
  const reply = await askPortal('historyMatches', { query: news, signal });
  if (reply.kind !== 'ok') return reply;
  const found = MatchedRows.of(filters, reply.value);
  if (known === undefined) return { kind: 'ok', value: found };
  // Another history than the one that was known: the service was started on another folder.
  if (found.lastSeq < known.lastSeq) return readMatches(filters, undefined, signal);
  return { kind: 'ok', value: known.withNewer(found) };
}
