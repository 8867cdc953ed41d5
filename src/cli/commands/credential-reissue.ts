import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import { lifeWords } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { printJson, say } from '../terminal.ts';

export function credentialReissueCommand(credential: Command): void {
  addCommand(credential, 'reissue', {
    description:
      'Issue the token of a credential again, with the same settings: for one that has expired or was lost. ' +
      'This service has to be the one that issued it.',
    examples: ['rotavox credential reissue nightly-report'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('reissueCredential', { params: { name } });
      if (options.json) {
        printJson(view);
        return;
      }
      say(`${view.name} has a newly issued value, which ${lifeWords(view, Date.now())}`);
      if (view.message !== null) say(view.message);
    });
}
