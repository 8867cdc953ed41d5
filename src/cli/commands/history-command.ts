import { HistoryFilters, type HistoryResult } from '../../contract/history/history.ts';
import { historyHelp, historyText } from '../../text/cli/cli-service.ts';
import { customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { eventLine, eventsLine, groupedSaves, searchFilters } from '../../text/window/events.ts';
import { followHistory } from '../follow-history.ts';
import { dayStart, wholeNumber } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { historyOptions, readHistory } from '../read-history.ts';
import { print, printJson, say } from '../terminal.ts';

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

const usualLimit = 50;
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
      help: historyHelp.limit(usualLimit, usualLimitBeforeNew),
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
  const { limit = usualLimit, before } = options;
  const page = await readHistory(openPortal(options), { filters: historyFilters(options), limit, before });
  if (options.json) {
    printJson(page);
    return;
  }
  const nowMs = Date.now();
  for (const saves of groupedSaves(page.events)) print(eventsLine(saves, page.names, nowMs));
  if (page.next_before !== null) say(historyText.olderHere(page.next_before));
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
