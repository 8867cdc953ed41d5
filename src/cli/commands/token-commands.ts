import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { CredentialName } from '../../contract/credential/credential.ts';
import { TokenQuery, tokenSorts } from '../../contract/token/token-list.ts';
import {
  IpRestriction,
  type IssuedToken,
  IssueToken,
  Scope,
  usualValidityDays,
} from '../../contract/token/token.ts';
import { historyText } from '../../text/cli/cli-service.ts';
import { tokenHelp, tokenText } from '../../text/cli/cli-token.ts';
import { eventLine } from '../../text/window/events.ts';
import { reuseText } from '../../text/token/reuse-text.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { type CommandGroup, customCommand, routeCommand, type TableCommand } from '../command-table.ts';
import { instantIn, numberIn, wholeNumber } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { historyOptions } from './history-command.ts';
import { readHistory, readings, usualRows } from '../readings.ts';
import { print, printJson, say } from '../terminal.ts';

const tokenId = { '<id>': tokenHelp.id } as const;

export const tokenCommands: CommandGroup = {
  help: tokenHelp,
  commands: {
    issue: customCommand({
      help: tokenHelp.issue,
      options: {
        '--name <name>': { help: tokenHelp.issue.name, schema: IssueToken.shape.name },
        '--validity <days>': {
          help: tokenHelp.issue.validity,
          schema: IssueToken.shape.validity_days,
          convert: numberIn,
        },
        '--scope <scope>': { help: tokenHelp.issue.scope, schema: Scope, isRepeated: true },
        '--allow-ip <cidr>': { help: tokenHelp.issue.allowIp, schema: IpRestriction, isRepeated: true },
        '--category <category>': { help: tokenHelp.issue.category, schema: IssueToken.shape.category },
        '--expires-at <when>': {
          help: tokenHelp.issue.expiresAt,
          schema: IssueToken.shape.expires_at,
          convert: instantIn,
        },
        '--keep-as <name>': { help: tokenHelp.issue.keepAs, schema: CredentialName },
      },
      async run({ keepAs, json, ...input }) {
        const name = input.name ?? keepAs;
        const validity = input.validity ?? (keepAs === undefined ? undefined : usualValidityDays);
        if (name === undefined || validity === undefined) throw wrongUsage(tokenHelp.issue.incomplete);
        const portal = openPortal(input);
        const issued = await portal.ask('issueToken', {
          body: {
            name,
            validity_days: validity,
            scopes: input.scope,
            ip_restrictions: input.allowIp,
            category: input.category,
            expires_at: input.expiresAt,
          },
        });
        if (keepAs === undefined) printIssued(issued, json);
        else await addAsCredential(portal, issued, { name: keepAs, json });
      },
    }),
    list: routeCommand({
      help: tokenHelp.list,
      options: {
        '--status <statuses>': { help: tokenHelp.list.status, schema: TokenQuery.shape.status },
        '--category <category>': { help: tokenHelp.list.category, schema: TokenQuery.shape.category },
        '--text <text>': { help: tokenHelp.list.text, schema: TokenQuery.shape.text },
        '--newest': tokenHelp.list.newest,
        '--sort <by>': { help: tokenHelp.list.sort, choices: tokenSorts },
        '--order <order>': { help: tokenHelp.list.order, choices: ['asc', 'desc'] },
        '--family <id>': tokenHelp.list.family,
        '--after <id>': tokenHelp.list.after,
        '--limit <n>': { help: tokenHelp.list.limit, read: wholeNumber(1, 1_000_000), usual: usualRows },
      },
      ...readings['token/list'],
    }),
    show: routeCommand({
      help: tokenHelp.show,
      arguments: tokenId,
      ...readings['token/show'],
    }),
    history: routeCommand({
      help: tokenHelp.history,
      arguments: tokenId,
      options: historyOptions,
      call: (portal, { id, limit, before }) => readHistory(portal, { limit, before }, { tokenId: id }),
      lines: ({ events }) => events.map(eventLine),
      words: ({ next_before: next }, { id }) =>
        next === null ? [] : historyText.older(`token history ${id}`, next),
    }),
    'dismiss-use': routeCommand({
      help: tokenHelp.dismissUse,
      arguments: { '<id>': tokenHelp.dismissUse.id },
      call: (portal, { id }) => portal.ask('dismissReuse', { params: { id } }),
      words: ({ configuration }) => reuseText.dismissed(configuration.name),
    }),
    suspend: statusChange('suspend'),
    resume: statusChange('resume'),
    blacklist: statusChange('blacklist'),
  },
};

/**
 * Adds the issued token as a credential, so that it need not be shown.
 *
 * If that fails, the token is printed after all: it was issued, and it is stored nowhere else.
 */
async function addAsCredential(
  portal: Portal,
  issued: IssuedToken,
  { name, json }: { readonly name: string; readonly json: boolean },
): Promise<void> {
  let credential: CredentialView;
  try {
    const { access_token: value, expires_at, validity_days } = issued;
    credential = await portal.ask('addCredential', { body: { name, value, expires_at, validity_days } });
  } catch (error) {
    printIssued(issued, json);
    if (!(error instanceof CommandFailure)) throw error;
    const [why = '', ...more] = error.lines;
    const lines = [tokenText.notAdded(name, why), ...more, tokenText.notAddedAdvice(issued.id)];
    throw new CommandFailure(exitCodes.failed, lines, { cause: error });
  }
  if (json) {
    const { access_token: _value, ...token } = issued;
    printJson({ ...token, credential });
    return;
  }
  say(tokenText.issued(issued, Date.now()), tokenText.added(credential, Date.now()));
}

/** Prints an issued token, the only time that it can be seen. */
function printIssued(issued: IssuedToken, json: boolean): void {
  if (json) {
    printJson(issued);
    return;
  }
  print(issued.access_token);
  say(tokenText.issued(issued, Date.now()), tokenText.shownOnce);
}

/** Changes the status of a token. */
function statusChange(name: 'suspend' | 'resume' | 'blacklist'): TableCommand {
  return routeCommand({
    help: tokenHelp[name],
    arguments: tokenId,
    options: { '--reason <text>': tokenHelp.reason },
    call: (portal, { id, reason }) =>
      portal.ask(`${name}Token`, {
        params: { id },
        ...(reason === undefined ? {} : { body: { reason } }),
      }),
    words: tokenText.status,
  });
}
