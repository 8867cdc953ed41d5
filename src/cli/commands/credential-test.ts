import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure } from '../command-failure.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { exitCodes } from '../exit-codes.ts';
import { openPortal } from '../portal.ts';
import { printJson, say } from '../terminal.ts';

export function credentialTestCommand(credential: Command): void {
  addCommand(credential, 'test', {
    description:
      'Ask the service of a credential whether its present value works and whether it can rotate tokens, without rotating it. ' +
      'Ends with 1 unless the value is known to work.',
    examples: ['rotavox credential test pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const test = await openPortal(options).ask('testCredential', { params: { name } });
      if (options.json) printJson(test);
      const found = test.rotation === undefined ? '' : ` ${test.rotation.message}`;
      const message = `${test.message}${found}`;
      if (test.outcome !== 'works') throw new CommandFailure(exitCodes.failed, message);
      if (!options.json) say(message);
    });
}
