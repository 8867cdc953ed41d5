import { followChanges, StreamRefused } from '../client/follow-changes.ts';
import type { HistoryEvent } from '../contract/audit-event.ts';
import type { HistoryFilters } from '../contract/history.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { chosenDataDir, type GlobalOptions } from './data-dir.ts';
import { findService } from './find-service.ts';
import { failureOf, openPortal, type Portal, refusalFailure } from './portal.ts';
import { readHistory } from './read-history.ts';
import { onReaderGone, say } from './terminal.ts';

export interface FollowedHistory {
  readonly filters: HistoryFilters;
  /** How many events of the past come first. */
  readonly limit: number;
  readonly show: (event: HistoryEvent) => void;
}

/**
 * Shows the last events and then every new one, oldest first, until Ctrl-C (or nobody reads any more).
 *
 * Outlives the service: when it is started again, what was missed comes first. Each event is shown once and none is left
 * out, because news only says that there is something to read, and what is read is everything after the last reading.
 */
export async function followHistory(
  options: GlobalOptions,
  { filters, limit, show }: FollowedHistory,
): Promise<void> {
  const signal = endOfFollowing();
  const dataDir = chosenDataDir(options);
  let readTo = await showPast(openPortal(options));
  let isLost = false;
  let connection = findService(dataDir);
  try {
    const connect = () => (connection = findService(dataDir));
    for await (const news of followChanges(connect, { signal })) {
      if (news.kind === 'lost') {
        if (!isLost)
          say('The connection to Rotavox is lost. What happens meanwhile is shown when it is back.');
        isLost = true;
        continue;
      }
      if (news.kind === 'open' && isLost) {
        say('Connected again.');
        isLost = false;
      }
      if (news.kind !== 'change' || news.notice.seq > readTo) await showNew();
    }
  } catch (error) {
    if (error instanceof StreamRefused) throw refusalFailure(error.refusal, dataDir, connection);
    throw failureOf(error, dataDir, connection);
  }

  async function showPast(portal: Portal): Promise<number> {
    const { store } = await portal.ask('portalStatus');
    const { events } = await readHistory(portal, { filters, limit, before: store.last_seq + 1 });
    for (const event of events.toReversed()) show(event);
    return store.last_seq;
  }

  async function showNew(): Promise<void> {
    const news = { ...filters, after: String(readTo) };
    try {
      const portal = openPortal(options);
      const { last_seq: lastSeq, count } = await portal.ask('historyMatches', { query: news });
      const selection = { filters: news, limit: count, before: lastSeq + 1 };
      const { events } = count === 0 ? { events: [] } : await readHistory(portal, selection);
      for (const event of events.toReversed()) show(event);
      readTo = lastSeq;
    } catch (error) {
      // It stopped between the news and the reading: the stream will say so, and then this is read again.
      if (error instanceof CommandFailure && error.exitCode === exitCodes.notRunning) return;
      throw error;
    }
  }
}

/** A signal that is aborted when the following is to end: Ctrl-C, SIGTERM, or a reader that has gone. */
function endOfFollowing(): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  onReaderGone(end);
  return controller.signal;
}
