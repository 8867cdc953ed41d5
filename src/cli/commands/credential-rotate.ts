import type { Command } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import { CommandFailure } from '../command-failure.ts';
import { lifeWords } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { exitCodes } from '../exit-codes.ts';
import { openPortal } from '../portal.ts';
import { receiptLine } from '../target-lines.ts';
import { printJson, say } from '../terminal.ts';

export function credentialRotateCommand(credential: Command): void {
  addCommand(credential, 'rotate', {
    description: 'Replace the value of a credential now. Ends with 1 when that did not succeed.',
    examples: ['rotavox credential rotate pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('rotateCredential', { params: { name } });
      if (options.json) printJson(view);
      if (view.trouble !== null) throw new CommandFailure(exitCodes.failed, troubleWords(view));
      if (options.json) return;
      say(`${view.name} has a new value, which ${lifeWords(view, Date.now())}`);
      for (const target of view.targets) {
        if (target.status === 'failing') say(receiptLine(target)); // others get it in a moment
      }
    });
}

function troubleWords({ message, trouble }: CredentialView): string {
  return message ?? trouble?.message ?? 'The rotation did not succeed.';
}
