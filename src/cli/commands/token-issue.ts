import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { CredentialName } from '../../contract/credential.ts';
import { IpRestriction, type IssuedToken, IssueToken, Scope } from '../../contract/token.ts';
import { tokenHelp, tokenText } from '../../text/cli-token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { instantIn, numberIn, valueOf, valuesOf } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface IssueOptions extends GlobalOptions {
  readonly name: string;
  readonly validity: number;
  readonly scope?: Scope[];
  readonly allowIp?: string[];
  readonly category?: string;
  readonly expiresAt?: string;
  readonly keepAs?: string;
  readonly json?: true;
}

const { name, validity_days: validityDays, category, expires_at: expiresAt } = IssueToken.shape;
const help = tokenHelp.issue;

export function tokenIssueCommand(token: Command): void {
  addCommand(token, 'issue', help)
    .requiredOption('--name <name>', help.name, valueOf(name))
    .requiredOption('--validity <days>', help.validity, valueOf(validityDays, numberIn))
    .option('--scope <scope>', help.scope, valuesOf(Scope))
    .option('--allow-ip <cidr>', help.allowIp, valuesOf(IpRestriction))
    .option('--category <category>', help.category, valueOf(category))
    .option('--expires-at <when>', help.expiresAt, valueOf(expiresAt, instantIn))
    .option('--keep-as <name>', help.keepAs, valueOf(CredentialName))
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<IssueOptions>();
      const portal = openPortal(options);
      const issued = await portal.ask('issueToken', {
        body: {
          name: options.name,
          validity_days: options.validity,
          ...(options.scope === undefined ? {} : { scopes: options.scope }),
          ...(options.allowIp === undefined ? {} : { ip_restrictions: options.allowIp }),
          ...(options.category === undefined ? {} : { category: options.category }),
          ...(options.expiresAt === undefined ? {} : { expires_at: options.expiresAt }),
        },
      });
      if (options.keepAs === undefined) printIssued(issued, options);
      else await addAsCredential(portal, issued, { ...options, keepAs: options.keepAs });
    });
}

/**
 * Adds the issued token as a credential, so that it need not be shown.
 *
 * If that fails, the token is printed after all: it was issued, and it is stored nowhere else.
 */
async function addAsCredential(
  portal: Portal,
  issued: IssuedToken,
  options: { readonly keepAs: string; readonly json?: true },
): Promise<void> {
  const { keepAs: name, json } = options;
  let credential: CredentialView;
  try {
    const { access_token: value, expires_at, validity_days } = issued;
    credential = await portal.ask('addCredential', { body: { name, value, expires_at, validity_days } });
  } catch (error) {
    printIssued(issued, options);
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
function printIssued(issued: IssuedToken, { json }: { json?: true }): void {
  if (json) {
    printJson(issued);
    return;
  }
  print(issued.access_token);
  say(tokenText.issued(issued, Date.now()), tokenText.shownOnce);
}
