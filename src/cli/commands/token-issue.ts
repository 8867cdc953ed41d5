import type { Command } from 'commander';
import { CredentialName } from '../../contract/credential.ts';
import {
  IpRestriction,
  IssueToken,
  maxValidityDays,
  namedValidities,
  Scope,
  scopes,
} from '../../contract/token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { numberIn, valueOf, valuesOf } from '../option-values.ts';
import { keepIssued } from '../keep-issued.ts';
import { openPortal } from '../portal.ts';
import { printIssued } from '../print-issued.ts';

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

export function tokenIssueCommand(token: Command): void {
  addCommand(token, 'issue', {
    description:
      'Issue a token. Its value is printed now and never again, unless it is kept as a credential.',
    examples: [
      'rotavox token issue --name nightly-report --validity 7',
      'rotavox token issue --name pbx --validity 30 --scope ivr:write --allow-ip 127.0.0.1 --json',
      'rotavox token issue --name pbx --validity 7 --keep-as pbx',
    ],
  })
    .requiredOption('--name <name>', 'what the token is for', valueOf(name))
    .requiredOption(
      '--validity <days>',
      `validity in days, 1 to ${maxValidityDays}; usual are ${namedValidities.join(', ')}`,
      valueOf(validityDays, numberIn),
    )
    .option('--scope <scope>', `restrict it to ${scopes.join(' or ')}; may be repeated`, valuesOf(Scope))
    .option(
      '--allow-ip <cidr>',
      'restrict it to an address or a range; may be repeated',
      valuesOf(IpRestriction),
    )
    .option('--category <category>', 'the category it belongs to', valueOf(category))
    .option(
      '--expires-at <instant>',
      'end this token sooner than its validity; a successor has all of it',
      valueOf(expiresAt),
    )
    .option(
      '--keep-as <name>',
      'keep it fresh from now on as the credential of this name; its value then goes to the vault and is not printed',
      valueOf(CredentialName),
    )
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
      else await keepIssued(portal, issued, { ...options, keepAs: options.keepAs });
    });
}
