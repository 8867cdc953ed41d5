import type { Command } from 'commander';
import { ReplaceValue } from '../../contract/credential.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { lifeWords } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { numberIn, valueOf } from '../option-values.ts';
import { plainText } from '../plain-text.ts';
import { openPortal } from '../portal.ts';
import { readTokenValue } from '../read-token-value.ts';
import { printJson, say } from '../terminal.ts';

interface ReplaceOptions extends GlobalOptions {
  readonly validity?: number;
  readonly expiresAt?: string;
  readonly json?: true;
}

const { validity_days: validityDays, expires_at: expiresAt } = ReplaceValue.shape;

export function credentialReplaceCommand(credential: Command): void {
  addCommand(credential, 'replace', {
    description:
      'Give a credential a value that you bring, for one that has lost its own. It is asked for, or comes on stdin.',
    examples: ['rotavox credential replace pbx < token.txt'],
  })
    .argument('<name>', "the credential's name, as `rotavox credential list` shows it")
    .option(
      '--validity <days>',
      'validity in days, where the service does not tell it',
      valueOf(validityDays, numberIn),
    )
    .option(
      '--expires-at <instant>',
      'when this value expires, where the service does not tell it',
      valueOf(expiresAt),
    )
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ReplaceOptions>();
      const portal = openPortal(options);
      const view = await portal.ask('replaceCredentialValue', {
        params: { name },
        body: {
          value: await readTokenValue(name),
          ...(options.validity === undefined ? {} : { validity_days: options.validity }),
          ...(options.expiresAt === undefined ? {} : { expires_at: options.expiresAt }),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(`${view.name} has the new value, which ${lifeWords(view, Date.now())}`);
      if (view.message !== null) say(plainText(view.message));
    });
}
