import { type Command, Option } from 'commander';
import { TokenQuery, tokenSorts } from '../../contract/token-list.ts';
import { tokenStatuses } from '../../contract/token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { collectPages } from '../collect-pages.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { valueOf, wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';
import { tokenTable } from '../token-lines.ts';

type ListOptions = GlobalOptions &
  Pick<TokenQuery, 'status' | 'category' | 'text' | 'sort' | 'order'> & {
    readonly family?: string;
    readonly newest?: true;
    readonly after?: string;
    readonly limit: number;
    readonly json?: true;
  };

export function tokenListCommand(token: Command): void {
  addCommand(token, 'list', {
    description: 'List tokens, newest first.',
    examples: [
      'rotavox token list --status Active,Suspended --newest --sort expires',
      'rotavox token list --text billing',
      'rotavox token list --family fam_… --json',
    ],
  })
    .option(
      '--status <statuses>',
      `only those with one of these (${tokenStatuses.join(', ')}), commas between them`,
      valueOf(TokenQuery.shape.status.unwrap()),
    )
    .option(
      '--category <category>',
      'only those of this category',
      valueOf(TokenQuery.shape.category.unwrap()),
    )
    .option(
      '--text <text>',
      'only those with this in their name, category, id or reason',
      valueOf(TokenQuery.shape.text.unwrap()),
    )
    .option('--newest', 'only the newest generation of each family')
    .addOption(new Option('--sort <by>', 'in this order; default: created').choices(tokenSorts))
    .addOption(
      new Option('--order <order>', 'default: desc by created and changed, else asc').choices([
        'asc',
        'desc',
      ]),
    )
    .option('--family <id>', 'only those of this family')
    .option('--after <id>', 'begin after this token')
    .option('--limit <n>', 'how many at most', wholeNumber(1, 1_000_000), 100)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const portal = openPortal(options);
      const { status, category, text, sort, order, family: family_id } = options;
      const newest = options.newest === undefined ? undefined : 'true';
      let total = 0;
      const { items, next } = await collectPages(
        { limit: options.limit, from: options.after },
        async (limit, after) => {
          const page = await portal.ask('listTokens', {
            query: { status, category, text, sort, order, family_id, newest, limit, after },
          });
          ({ total } = page);
          return { items: page.tokens, next: page.next_after };
        },
      );
      if (options.json) {
        printJson({ tokens: items, next_after: next, total });
        return;
      }
      if (items.length === 0) say('There is no such token. Issue one with `rotavox token issue`.');
      else for (const line of tokenTable(items, Date.now())) print(line);
      if (next !== null) say(`There are more, ${total} in all: rotavox token list --after ${next}`);
    });
}
