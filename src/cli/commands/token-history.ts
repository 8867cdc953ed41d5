import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { eventLine } from '../event-line.ts';
import { wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readHistory } from '../read-history.ts';
import { print, printJson, say } from '../terminal.ts';

interface TokenHistoryOptions extends GlobalOptions {
  readonly limit: number;
  readonly before?: number;
  readonly json?: true;
}

export function tokenHistoryCommand(token: Command): void {
  addCommand(token, 'history', {
    description: 'Show what happened to one token, newest first.',
    examples: ['rotavox token history tok_…_1'],
  })
    .argument('<id>', "the token's id, as `rotavox token list` shows it")
    .option('--limit <n>', 'how many events at most', wholeNumber(1, 1_000_000), 100)
    .option('--before <seq>', 'only events before this one', wholeNumber(0, 999_999_999_999_999))
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<TokenHistoryOptions>();
      const portal = openPortal(options);
      const page = await readHistory(
        portal,
        { limit: options.limit, before: options.before },
        { tokenId: id },
      );
      if (options.json) {
        printJson(page);
        return;
      }
      for (const event of page.events) print(eventLine(event));
      const { next_before: next } = page;
      if (next !== null) say(`There are older ones: rotavox token history ${id} --before ${next}`);
    });
}
