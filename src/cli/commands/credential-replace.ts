import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import { lifeWords } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { addLifeOptions, type LifeOptions, lifeFields } from '../life-options.ts';
import { openPortal } from '../portal.ts';
import { readTokenValue } from '../read-token-value.ts';
import { printJson, say } from '../terminal.ts';

interface ReplaceOptions extends GlobalOptions, LifeOptions {
  readonly json?: true;
}

export function credentialReplaceCommand(credential: Command): void {
  const command = addCommand(credential, 'replace', {
    description:
      'Give a credential a value that you bring, for one that has lost its own. It is asked for, or comes on stdin.',
    examples: ['rotavox credential replace pbx < token.txt'],
  }).argument(...credentialNameArgument);
  addLifeOptions(command)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<ReplaceOptions>();
      const portal = openPortal(options);
      const view = await portal.ask('replaceCredentialValue', {
        params: { name },
        body: {
          value: await readTokenValue(name),
          ...lifeFields(options),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(`${view.name} has the new value, which ${lifeWords(view, Date.now())}`);
      if (view.message !== null) say(view.message);
    });
}
