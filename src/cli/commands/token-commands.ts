import { type Command, Option } from 'commander';
import { TokenQuery, tokenSorts } from '../../contract/token-list.ts';
import { tokenHelp, tokenListHead, tokenListRow, tokenRows, tokenText } from '../../text/cli-token.ts';
import { historyText } from '../../text/cli-service.ts';
import { optionHelp } from '../../text/cli.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { eventLine } from '../../text/events.ts';
import { reuseText } from '../../text/reuse-text.ts';
import { formatTable } from '../format-table.ts';
import { valueOf, wholeNumber } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { collectPages, readHistory } from '../read-history.ts';
import { plainText, print, printJson, say } from '../terminal.ts';

type ListOptions = GlobalOptions &
  Pick<TokenQuery, 'status' | 'category' | 'text' | 'sort' | 'order'> & {
    readonly family?: string;
    readonly newest?: true;
    readonly after?: string;
    readonly limit: number;
    readonly json?: true;
  };

export function tokenListCommand(token: Command): void {
  addCommand(token, 'list', tokenHelp.list)
    .option('--status <statuses>', tokenHelp.list.status, valueOf(TokenQuery.shape.status.unwrap()))
    .option('--category <category>', tokenHelp.list.category, valueOf(TokenQuery.shape.category.unwrap()))
    .option('--text <text>', tokenHelp.list.text, valueOf(TokenQuery.shape.text.unwrap()))
    .option('--newest', tokenHelp.list.newest)
    .addOption(new Option('--sort <by>', tokenHelp.list.sort).choices(tokenSorts))
    .addOption(new Option('--order <order>', tokenHelp.list.order).choices(['asc', 'desc']))
    .option('--family <id>', tokenHelp.list.family)
    .option('--after <id>', tokenHelp.list.after)
    .option('--limit <n>', tokenHelp.list.limit, wholeNumber(1, 1_000_000), 100)
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
      if (items.length === 0) say(tokenText.none);
      else {
        const nowMs = Date.now();
        const rows = items.map((one) => tokenListRow(one, nowMs));
        for (const line of formatTable(rows, tokenListHead)) print(line);
      }
      if (next !== null) say(tokenText.more(total, next));
    });
}

export function tokenShowCommand(token: Command): void {
  addCommand(token, 'show', tokenHelp.show)
    .argument('<id>', tokenHelp.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('readToken', { params: { id } });
      if (options.json) printJson(view);
      else for (const line of formatTable(tokenRows(view, Date.now()))) print(line);
    });
}

export function tokenDismissUseCommand(token: Command): void {
  addCommand(token, 'dismiss-use', tokenHelp.dismissUse)
    .argument('<id>', tokenHelp.dismissUse.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const family = await openPortal(options).ask('dismissReuse', { params: { id } });
      if (options.json) printJson(family);
      else say(reuseText.dismissed(family.configuration.name));
    });
}

interface TokenHistoryOptions extends GlobalOptions {
  readonly limit: number;
  readonly before?: number;
  readonly json?: true;
}

export function tokenHistoryCommand(token: Command): void {
  addCommand(token, 'history', tokenHelp.history)
    .argument('<id>', tokenHelp.id)
    .option('--limit <n>', optionHelp.historyLimit, wholeNumber(1, 1_000_000), 100)
    .option('--before <seq>', optionHelp.before, wholeNumber(0, 999_999_999_999_999))
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
      for (const event of page.events) print(plainText(eventLine(event)));
      const { next_before: next } = page;
      if (next !== null) say(historyText.older(`token history ${id}`, next));
    });
}

/** How the owner changes the status of a token: one command with three names. */
const statusCommands = [
  { name: 'suspend', call: 'suspendToken' },
  { name: 'resume', call: 'resumeToken' },
  { name: 'blacklist', call: 'blacklistToken' },
] as const;

interface StatusOptions extends GlobalOptions {
  readonly reason?: string;
  readonly json?: true;
}

export function tokenStatusCommands(token: Command): void {
  for (const { name, call } of statusCommands) {
    addCommand(token, name, tokenHelp[name])
      .argument('<id>', tokenHelp.id)
      .option('--reason <text>', tokenHelp.reason)
      .option(...jsonOption)
      .action(async (id: string, _options, command: Command) => {
        const { reason, ...options } = command.optsWithGlobals<StatusOptions>();
        const view = await openPortal(options).ask(call, {
          params: { id },
          ...(reason === undefined ? {} : { body: { reason } }),
        });
        if (options.json) printJson(view);
        else say(tokenText.status(view));
      });
  }
}
