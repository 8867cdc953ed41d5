import type { Command } from 'commander';
import { AddCredential } from '../../contract/credential.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { lifeWords } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { addLifeOptions, type LifeOptions, lifeFields } from '../life-options.ts';
import { valueOf } from '../option-values.ts';
import { plainText } from '../plain-text.ts';
import { openPortal } from '../portal.ts';
import { readTokenValue } from '../read-token-value.ts';
import { printJson, say } from '../terminal.ts';

interface AddOptions extends GlobalOptions, LifeOptions {
  readonly baseUrl?: string;
  readonly json?: true;
}

const { name: nameSchema, base_url: baseUrl } = AddCredential.shape;

export function credentialAddCommand(credential: Command): void {
  const command = addCommand(credential, 'add', {
    description:
      'Keep a token fresh from now on. Its value is asked for, or comes on stdin; it is never an argument.',
    examples: [
      'rotavox credential add pbx --base-url https://api.example.com < token.txt',
      'rotavox credential add nightly-report',
    ],
  })
    .argument('<name>', 'how you will call it', valueOf(nameSchema))
    .option('--base-url <url>', 'the service that issued the token (default: this one)', valueOf(baseUrl));
  addLifeOptions(command)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<AddOptions>();
      const portal = openPortal(options); // first: nobody pastes a token for a service that does not run
      const value = await readTokenValue(name);
      const view = await portal.ask('addCredential', {
        body: {
          name,
          value,
          ...(options.baseUrl === undefined ? {} : { base_url: options.baseUrl }),
          ...lifeFields(options),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(`${view.name} is kept fresh. This value ${lifeWords(view, Date.now())}`);
      if (view.message !== null) say(plainText(view.message));
    });
}
