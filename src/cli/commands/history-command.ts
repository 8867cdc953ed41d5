import { HistoryFilters, type HistoryResult } from '../../contract/history/history.ts';
import { historyHelp, historyText } from '../../text/cli/cli-service.ts';
import { customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { eventLine, searchFilters } from '../../text/window/events.ts';
import { dayStart, wholeNumber } from '../option-values.ts';
import { failureOf, openPortal, type Portal, refusalFailure } from '../open-portal.ts';
import { readHistory, readings, usualEvents, usualRows } from '../readings.ts';
import { showAnswer } from '../show-answer.ts';
import { onReaderClosed, print, printJson, say } from '../terminal.ts';
import { followChanges, StreamRefused } from '../../client/follow-events.ts';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { optionHelp } from '../../text/cli/cli.ts';

/** The options of the history of one token or credential. */
export const historyOptions = {
  '--limit <n>': { help: optionHelp.historyLimit, read: wholeNumber(1, 1_000_000), usual: usualRows },
  '--before <seq>': { help: optionHelp.before, read: wholeNumber(0, 999_999_999_999_999) },
} as const;

interface HistoryOptions extends GlobalOptions {
  readonly limit?: number;
  readonly before?: number;
  readonly subject?: string;
  readonly kind?: string;
  readonly result?: HistoryResult;
  readonly text?: string;
  /** Instants, made of local dates. */
  readonly from?: string;
  readonly to?: string;
  readonly json: boolean;
}

const { kind, result, text } = HistoryFilters.shape;

/** How many earlier events `--follow` shows first. */
const usualLimitBeforeNew = 10;

export const historyCommand = customCommand({
  help: historyHelp,
  options: {
    '--follow': { help: historyHelp.follow, conflicts: ['before'] },
    '--verify': {
      help: historyHelp.verify,
      conflicts: ['follow', 'limit', 'before', 'subject', 'kind', 'result', 'text', 'from', 'to'],
    },
    '--limit <n>': {
      help: historyHelp.limit(usualEvents, usualLimitBeforeNew),
      read: wholeNumber(1, 1_000_000),
    },
    '--before <seq>': historyOptions['--before <seq>'],
    '--subject <id>': historyHelp.subject,
    '--kind <kinds>': { help: historyHelp.kind, schema: kind },
    '--result <result>': { help: historyHelp.result, schema: result },
    '--text <text>': { help: historyHelp.text, schema: text },
    '--from <date>': { help: historyHelp.from, read: dayStart(0) },
    '--to <date>': { help: historyHelp.to, read: dayStart(1) },
  },
  async run(options) {
    if (options.subject?.startsWith('tok_') === true) {
      throw wrongUsage(historyText.tokenSubject(options.subject));
    }
    if (options.verify) await verifyHistory(options);
    else if (options.follow) {
      const { json, limit = usualLimitBeforeNew } = options;
      await followHistory(options, {
        filters: historyFilters(options),
        limit,
        show: json ? printJson : (event) => print(eventLine(event)),
      });
    } else await showHistory(options);
  },
});

/** The filters of the options, the same as those in the address of the history page. */
export function historyFilters({
  subject,
  kind,
  result,
  text = '',
  from,
  to,
}: Pick<HistoryOptions, 'subject' | 'kind' | 'result' | 'text' | 'from' | 'to'>): HistoryFilters {
  const time = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { until: to }) };
  return { subject, kind, result, ...time, ...searchFilters(text) };
}

async function showHistory(options: HistoryOptions): Promise<void> {
  const selection = { ...options, filters: historyFilters(options) };
  const page = await readings.history.call(openPortal(options), selection);
  showAnswer(readings.history, page, selection, undefined as never);
}

async function verifyHistory(options: HistoryOptions): Promise<void> {
  const verification = await openPortal(options).ask('verifyHistory');
  if (options.json) printJson(verification);
  if (verification.status === 'intact') {
    if (!options.json) print(historyText.intact(verification));
    return;
  }
  throw new CommandFailure(exitCodes.failed, historyText.damaged(verification));
}

interface FollowedHistory {
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
async function followHistory(
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
