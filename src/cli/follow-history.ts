import { followChanges, StreamRefused } from '../client/follow-events.ts';
import type { HistoryEvent } from '../contract/history/audit-event.ts';
import type { HistoryFilters } from '../contract/history/history.ts';
import { historyText } from '../text/cli/cli-service.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import { failureOf, openPortal, type Portal, refusalFailure } from './open-portal.ts';
import { readHistory } from './read-history.ts';
import { onReaderClosed, say } from './terminal.ts';

export interface FollowedHistory {
  readonly filters: HistoryFilters;
  /** How many earlier events are shown first. */
  readonly limit: number;
  readonly show: (event: HistoryEvent) => void;
}

/**
 * Shows the last events and then every new one, oldest first, until Ctrl-C or until stdout is closed.
 *
 * Continues when the service restarts: missed events come first. Each event is shown once and none is left out, because
 * a change on the stream only means that there are new events, and then everything after the last one shown is read.
 */
export async function followHistory(
  options: GlobalOptions,
  { filters, limit, show }: FollowedHistory,
): Promise<void> {
  const signal = endOfFollowing();
  const portal = openPortal(options);
  const { service } = portal;
  // Before anything is shown: from then on a service that stops is waited for.
  let connection = await service.connect();
  let readTo = await showPast(portal);
  let isLost = false;
  try {
    const connect = async () => (connection = await service.connect());
    for await (const news of followChanges(connect, { signal })) {
      if (news.kind === 'lost') {
        if (!isLost) say(historyText.connectionLost);
        isLost = true;
        continue;
      }
      if (news.kind === 'open' && isLost) {
        say(historyText.connected);
        isLost = false;
      }
      if (news.kind !== 'change' || news.notice.seq > readTo) await showNew();
    }
  } catch (error) {
    if (error instanceof StreamRefused) throw refusalFailure(error.refusal, service, connection);
    throw failureOf(error, service, connection);
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
      // It stopped in between: the stream will report that, and the events are read after it has connected again.
      if (error instanceof CommandFailure && error.exitCode === exitCodes.notRunning) return;
      throw error;
    }
  }
}

/** A signal that is aborted by Ctrl-C, SIGTERM, or when stdout is closed. */
function endOfFollowing(): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  onReaderClosed(end);
  return controller.signal;
}
