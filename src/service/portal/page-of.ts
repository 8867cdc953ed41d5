import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import type { HistoryPage } from '../../contract/service/portal.ts';

const defaultLimit = 100;

/** A page of history, and where the next one begins: one event more is requested to know whether there is one. */
export async function pageOf(
  query: { before?: string | undefined; limit?: string | undefined },
  read: (filter: { before: number | undefined; limit: number }) => Promise<HistoryEvent[]>,
): Promise<HistoryPage> {
  const limit = query.limit === undefined ? defaultLimit : Number(query.limit);
  const found = await read({
    before: query.before === undefined ? undefined : Number(query.before),
    limit: limit + 1,
  });
  const events = found.slice(0, limit);
  return { events, next_before: found.length > limit ? (events.at(-1)?.seq ?? null) : null };
}
