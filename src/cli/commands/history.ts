import { type Command, Option } from 'commander';
import { HistoryFilters, type HistoryResult, historyResults } from '../../contract/history.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { eventLine, searchFilters } from '../../text/events.ts';
import { followHistory } from '../follow-history.ts';
import { valueOf, wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
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
  readonly json?: true;
}

const { kind, result, text } = HistoryFilters.shape;

const usualLimit = 50;
/** How much of the past is shown before what is new. */
const usualLimitBeforeNews = 10;

export function historyCommand(program: Command): void {
  addCommand(program, 'history', {
    description: 'Show everything that happened, newest first.',
    examples: [
      'rotavox history --limit 20',
      'rotavox history --text billing-sync --result attention',
      'rotavox history --follow --kind token.rotated',
      'rotavox history --verify',
    ],
  })
    .addOption(
      new Option('--follow', 'go on with what happens from now on, newest last, until Ctrl-C').conflicts(
        'before',
      ),
    )
    .addOption(
      new Option(
        '--verify',
        'read the whole journal from disk and check that nothing in it was changed',
      ).conflicts(['follow', 'limit', 'before', 'subject', 'kind', 'result', 'text']),
    )
    .option(
      '--limit <n>',
      `how many events at most (default: ${usualLimit}; with --follow ${usualLimitBeforeNews})`,
      wholeNumber(1, 1_000_000),
    )
    .option('--before <seq>', 'only events before this one', wholeNumber(0, 999_999_999_999_999))
    .option('--subject <id>', 'only events of this family, credential or IVR')
    .option(
      '--kind <kinds>',
      'only events of these kinds: token.rotated, token. for all that begin so, several with commas',
      valueOf(kind.unwrap()),
    )
    .option(
      '--result <result>',
      `only events that ended so: ${historyResults.join(', ')}`,
      valueOf(result.unwrap()),
    )
    .option(
      '--text <text>',
      'only events that say this somewhere, or whose token, credential or IVR has it in its name',
      valueOf(text.unwrap()),
    )
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<HistoryOptions>();
      if (options.subject?.startsWith('tok_') === true) {
        throw wrongUsage(
          `${options.subject} is a token: use \`rotavox token history\`, or --subject with its family.`,
        );
      }
      if (options.verify) await verifyHistory(options);
      else if (options.follow) {
        const { json, limit = usualLimitBeforeNews } = options;
        await followHistory(options, {
          filters: historyFilters(options),
          limit,
          show: json ? printJson : (event) => print(plainText(eventLine(event))),
        });
      } else await showHistory(options);
    });
}

/** What the options ask for, as the history's address of the window does. */
export function historyFilters({
  subject,
  kind,
  result,
  text = '',
}: Pick<HistoryOptions, 'subject' | 'kind' | 'result' | 'text'>): HistoryFilters {
  return { subject, kind, result, ...searchFilters(text) };
}

async function showHistory(options: HistoryOptions): Promise<void> {
  const { limit = usualLimit, before } = options;
  const page = await readHistory(openPortal(options), { filters: historyFilters(options), limit, before });
  if (options.json) {
    printJson(page);
    return;
  }
  for (const event of page.events) print(plainText(eventLine(event)));
  if (page.next_before !== null) say(`There are older ones: add --before ${page.next_before}`);
}

async function verifyHistory(options: HistoryOptions): Promise<void> {
  const verification = await openPortal(options).ask('verifyHistory');
  if (options.json) printJson(verification);
  if (verification.status === 'intact') {
    const { verified_to: events, segments } = verification;
    const files = segments === 1 ? '1 file' : `${segments} files`;
    if (!options.json)
      print(`The journal is intact: ${events} events in ${files}, every hash and every link checked.`);
    return;
  }
  const { file, line, reason, verified_to: verifiedTo } = verification;
  throw new CommandFailure(
    exitCodes.failed,
    `The journal is damaged at ${file}, line ${line}: ${reason}. Events 1 to ${verifiedTo} are intact.`,
  );
}
