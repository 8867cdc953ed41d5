import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';
import { tokenLines } from '../token-lines.ts';

export function tokenShowCommand(token: Command): void {
  addCommand(token, 'show', {
    description: 'Show one token: status, configuration, its place in its family.',
    examples: ['rotavox token show tok_…_1'],
  })
    .argument('<id>', "the token's id, as `rotavox token list` shows it")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('readToken', { params: { id } });
      if (options.json) printJson(view);
      else for (const line of tokenLines(view, Date.now())) print(line);
    });
}
