import { type Command, Option } from 'commander';
import { TokenStatus, tokenStatuses } from '../../contract/token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { collectPages } from '../collect-pages.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';
import { tokenTable } from '../token-lines.ts';

interface ListOptions extends GlobalOptions {
  readonly status?: string;
  readonly family?: string;
  readonly after?: string;
  readonly limit: number;
  readonly json?: true;
}

export function tokenListCommand(token: Command): void {
  addCommand(token, 'list', {
    description: 'List tokens, newest first.',
    examples: ['rotavox token list --status Active', 'rotavox token list --family fam_… --json'],
  })
    .addOption(new Option('--status <status>', 'only those with this status').choices(tokenStatuses))
    .option('--family <id>', 'only those of this family')
    .option('--after <id>', 'begin after this token')
    .option('--limit <n>', 'how many at most', wholeNumber(1, 1_000_000), 100)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const portal = openPortal(options);
      const query = {
        status: options.status === undefined ? undefined : TokenStatus.parse(options.status),
        family_id: options.family,
      };
      const { items, next } = await collectPages(
        { limit: options.limit, from: options.after },
        async (limit, after) => {
          const page = await portal.ask('listTokens', { query: { ...query, limit, after } });
          return { items: page.tokens, next: page.next_after };
        },
      );
      if (options.json) {
        printJson({ tokens: items, next_after: next });
        return;
      }
      if (items.length === 0) say('There is no such token. Issue one with `rotavox token issue`.');
      else for (const line of tokenTable(items, Date.now())) print(line);
      if (next !== null) say(`There are more: rotavox token list --after ${next}`);
    });
}
