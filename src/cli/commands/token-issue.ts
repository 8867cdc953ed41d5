import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { CredentialName } from '../../contract/credential.ts';
import {
  IpRestriction,
  type IssuedToken,
  IssueToken,
  maxValidityDays,
  namedValidities,
  Scope,
  scopes,
} from '../../contract/token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { nextRotation } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { localTime, timeLeft } from '../../text/time.ts';
import { numberIn, valueOf, valuesOf } from '../option-values.ts';
import { openPortal, type Portal } from '../portal.ts';
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

/**
 * Has a token that was just issued kept fresh, so that nobody needs to see its value.
 *
 * When that fails the value is printed after all: it is in no other place, and the token is there already.
 */
async function keepIssued(
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
    const advice = `Put it there with \`rotavox credential add\`, or end it with \`rotavox token blacklist ${issued.id}\`.`;
    throw new CommandFailure(exitCodes.failed, [`It is not kept as ${name}: ${why}`, ...more, advice], {
      cause: error,
    });
  }
  if (json) {
    const { access_token: _value, ...token } = issued;
    printJson({ ...token, credential });
    return;
  }
  say(
    issuedWords(issued),
    `It is kept fresh as ${name}; next rotation: ${nextRotation(credential, Date.now())}. ` +
      `\`rotavox get ${name}\` shows its value.`,
  );
}

/** Prints an issued token with its value, the only time that it can be seen. */
function printIssued(issued: IssuedToken, { json }: { json?: true }): void {
  if (json) {
    printJson(issued);
    return;
  }
  print(issued.access_token);
  say(issuedWords(issued), 'Keep its value now: it is not stored and cannot be shown again.');
}

/** Which token was issued and how long it lives, in a sentence. */
function issuedWords({ id, name, expires_at: expiresAt }: IssuedToken): string {
  const left = timeLeft(expiresAt, Date.now());
  return `Issued ${id} "${name}", Active until ${localTime(expiresAt)} (${left}).`;
}
