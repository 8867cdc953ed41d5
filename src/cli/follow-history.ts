import type { HistoryEvent } from '../contract/audit-event.ts';
import { followChanges, StreamRefused } from '../client/follow-changes.ts';
import { CommandFailure } from './command-failure.ts';
import { chosenDataDir, type GlobalOptions } from './data-dir.ts';
import { exitCodes } from './exit-codes.ts';
import { findService } from './find-service.ts';
import { failureOf, openPortal, type Portal, refusalFailure } from './portal.ts';
import { readHistory } from './read-history.ts';
import { onReaderGone, say } from './terminal.ts';

export interface FollowedHistory {
  readonly subject: string | undefined;
  readonly kind: string | undefined;
  /** How many events of the past come first. */
  readonly limit: number;
  readonly show: (event: HistoryEvent) => void;
}

/** How many events are read at once when some are new: most often there is one. */
const readAtOnce = 100;

/**
 * Shows the last events and then every new one, oldest first, until Ctrl-C (or nobody reads any more).
 *
 * Outlives the service: when it is started again, what was missed comes first. Each event is shown once and none is left
 * out, because news only says that there is something to read, and what is read is everything after the last one shown.
 */
export async function followHistory(
  options: GlobalOptions,
  { subject, kind, limit, show }: FollowedHistory,
): Promise<void> {
  const signal = endOfFollowing();
  const dataDir = chosenDataDir(options);
  const isAskedFor = (event: Pick<HistoryEvent, 'subject' | 'kind'>): boolean =>
    (subject ?? event.subject) === event.subject && (kind ?? event.kind) === event.kind;

  let shownTo = await showPast(openPortal(options));
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
      if (news.kind === 'change') {
        const { notice } = news;
        if (notice.seq <= shownTo) continue;
        if (notice.seq === shownTo + 1 && !isAskedFor(notice)) {
          shownTo = notice.seq;
          continue;
        }
      }
      await showNew();
    }
  } catch (error) {
    if (error instanceof StreamRefused) throw refusalFailure(error.refusal, dataDir, connection);
    throw failureOf(error, dataDir, connection);
  }

  async function showPast(portal: Portal): Promise<number> {
    const { store } = await portal.ask('portalStatus');
    const { events } = await readHistory(portal, { subject, kind, limit, before: store.last_seq + 1 });
    for (const event of events.toReversed()) show(event);
    return store.last_seq;
  }

  async function showNew(): Promise<void> {
    let events: HistoryEvent[];
    try {
      events = await readAfter(openPortal(options), shownTo);
    } catch (error) {
      // It stopped between the news and the reading: the stream will say so, and then this is read again.
      if (error instanceof CommandFailure && error.exitCode === exitCodes.notRunning) return;
      throw error;
    }
    for (const event of events) {
      if (isAskedFor(event)) show(event);
      shownTo = event.seq;
    }
  }
}

/** Every event after one, oldest first. */
async function readAfter(portal: Portal, seq: number): Promise<HistoryEvent[]> {
  const found: HistoryEvent[] = [];
  let before: string | undefined;
  for (;;) {
    const query = { limit: String(readAtOnce), before };
    const { events, next_before: next } = await portal.ask('readHistory', { query });
    found.push(...events.filter((event) => event.seq > seq));
    if (next === null || next <= seq + 1) return found.reverse();
    before = String(next);
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
