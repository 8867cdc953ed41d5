import { type Command, Option } from 'commander';
import { HistoryFilters, type HistoryResult } from '../../contract/history.ts';
import { historyHelp, historyText } from '../../text/cli-service.ts';
import { optionHelp } from '../../text/cli.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { eventLine, eventsLine, groupedSaves, searchFilters } from '../../text/events.ts';
import { followHistory } from '../follow-history.ts';
import { dayStart, valueOf, wholeNumber } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readHistory } from '../read-history.ts';
import { plainText, print, printJson, say } from '../terminal.ts';

interface HistoryOptions extends GlobalOptions {
  readonly follow?: true;
  readonly verify?: true;
  readonly limit?: number;
  readonly before?: number;
  readonly subject?: string;
  readonly kind?: string;
  readonly result?: HistoryResult;
  readonly text?: string;
  /** Instants, made of local dates. */
  readonly from?: string;
  readonly to?: string;
  readonly json?: true;
}

const { kind, result, text } = HistoryFilters.shape;

const usualLimit = 50;
/** How many earlier events `--follow` shows first. */
const usualLimitBeforeNew = 10;

export function historyCommand(program: Command): void {
  addCommand(program, 'history', historyHelp)
    .addOption(new Option('--follow', historyHelp.follow).conflicts('before'))
    .addOption(
      new Option('--verify', historyHelp.verify).conflicts([
        'follow',
        'limit',
        'before',
        'subject',
        'kind',
        'result',
        'text',
        'from',
        'to',
      ]),
    )
    .option('--limit <n>', historyHelp.limit(usualLimit, usualLimitBeforeNew), wholeNumber(1, 1_000_000))
    .option('--before <seq>', optionHelp.before, wholeNumber(0, 999_999_999_999_999))
    .option('--subject <id>', historyHelp.subject)
    .option('--kind <kinds>', historyHelp.kind, valueOf(kind.unwrap()))
    .option('--result <result>', historyHelp.result, valueOf(result.unwrap()))
    .option('--text <text>', historyHelp.text, valueOf(text.unwrap()))
    .option('--from <date>', historyHelp.from, dayStart(0))
    .option('--to <date>', historyHelp.to, dayStart(1))
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<HistoryOptions>();
      if (options.subject?.startsWith('tok_') === true) {
        throw wrongUsage(historyText.tokenSubject(options.subject));
      }
      if (options.verify) await verifyHistory(options);
      else if (options.follow) {
        const { json, limit = usualLimitBeforeNew } = options;
        await followHistory(options, {
          filters: historyFilters(options),
          limit,
          show: json ? printJson : (event) => print(plainText(eventLine(event))),
        });
      } else await showHistory(options);
    });
}

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
  for (const saves of groupedSaves(page.events)) print(plainText(eventsLine(saves, page.names, nowMs)));
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
