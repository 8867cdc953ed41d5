import { type Command, Option } from 'commander';
import { TokenQuery, tokenSorts } from '../../contract/token-list.ts';
import { tokenStatuses, type TokenView } from '../../contract/token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { eventLine } from '../../text/events.ts';
import { formatTable } from '../format-table.ts';
import { localTime, timeLeft } from '../../text/time.ts';
import { valueOf, wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
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

export function tokenShowCommand(token: Command): void {
  addCommand(token, 'show', {
    description: 'Show one token: status, configuration, its place in its family.',
    examples: ['rotavox token show tok_…_1'],
  })
    .argument('<id>', "the token's id, as `rotavox token list` shows it")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('readToken', { params: { id } });
      if (options.json) printJson(view);
      else for (const line of tokenLines(view, Date.now())) print(line);
    });
}

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
      for (const event of page.events) print(plainText(eventLine(event)));
      const { next_before: next } = page;
      if (next !== null) say(`There are older ones: rotavox token history ${id} --before ${next}`);
    });
}

/** The owner's moves between states (product.md); they are one command under three names. */
const moves = [
  {
    name: 'suspend',
    call: 'suspendToken',
    description: 'Take an Active token out of use until it is resumed.',
  },
  { name: 'resume', call: 'resumeToken', description: 'Make a Suspended token Active again.' },
  {
    name: 'blacklist',
    call: 'blacklistToken',
    description: 'Take an Active or Suspended token out of use for good.',
  },
] as const;

interface MoveOptions extends GlobalOptions {
  readonly reason?: string;
  readonly json?: true;
}

export function tokenMoveCommands(token: Command): void {
  for (const { name, call, description } of moves) {
    addCommand(token, name, {
      description,
      examples: [`rotavox token ${name} tok_…_1 --reason "why, for the history"`],
    })
      .argument('<id>', "the token's id, as `rotavox token list` shows it")
      .option('--reason <text>', 'why; kept in the history')
      .option(...jsonOption)
      .action(async (id: string, _options, command: Command) => {
        const { reason, ...options } = command.optsWithGlobals<MoveOptions>();
        const view = await openPortal(options).ask(call, {
          params: { id },
          ...(reason === undefined ? {} : { body: { reason } }),
        });
        if (options.json) printJson(view);
        else say(`${view.id} is ${view.status}.`);
      });
  }
}

/** Tokens as a table, a line each. */
function tokenTable(tokens: readonly TokenView[], nowMs: number): string[] {
  return formatTable(
    tokens.map((token) => [
      token.id,
      token.status,
      isLive(token) ? timeLeft(token.expires_at, nowMs) : '-',
      localTime(token.expires_at),
      daysOf(token),
      token.name,
      token.category,
    ]),
    ['id', 'status', 'left', 'expires', 'validity', 'name', 'category'],
  );
}

/** Everything about one token, a line each. */
function tokenLines(token: TokenView, nowMs: number): string[] {
  const optional = (label: string, value: string | null): string[][] =>
    value === null ? [] : [[label, value]];
  const moment = (instant: string | null): string | null => (instant === null ? null : localTime(instant));
  return formatTable([
    ['Token', token.id],
    ['Name', token.name],
    ['Category', token.category],
    ['Status', token.status],
    ...optional('Reason', token.reason),
    ['Validity', daysOf(token)],
    ['Created', localTime(token.created_at)],
    [
      'Expires',
      localTime(token.expires_at) + (isLive(token) ? ` (${timeLeft(token.expires_at, nowMs)} left)` : ''),
    ],
    ['First used', moment(token.first_used_at) ?? 'not yet'],
    ...optional('Ended', moment(token.ended_at)),
    ['Scopes', token.scopes.join(', ') || 'unrestricted'],
    ['Addresses', token.ip_restrictions.join(', ') || 'any'],
    ['Family', token.family_id],
    ...optional('Rotated from', token.predecessor_id),
    ...optional('Rotated to', token.successor_id),
  ]);
}

function isLive({ status }: TokenView): boolean {
  return status === 'Active' || status === 'Suspended';
}

function daysOf({ validity_days: days }: TokenView): string {
  return days === 1 ? '1 day' : `${days} days`;
}
