import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { printJson, say } from '../terminal.ts';

/** The owner's moves between states (product.md); they are one command under three names. */
const moves = [
  {
    name: 'suspend',
    call: 'suspendToken',
    description: 'Take an Active token out of use until it is resumed.',
  },
  { name: 'resume', call: 'resumeToken', description: 'Make a Suspended token Active again.' },
  {
    name: 'blacklist',
    call: 'blacklistToken',
    description: 'Take an Active or Suspended token out of use for good.',
  },
] as const;

interface MoveOptions extends GlobalOptions {
  readonly reason?: string;
  readonly json?: true;
}

export function tokenMoveCommands(token: Command): void {
  for (const { name, call, description } of moves) {
    addCommand(token, name, {
      description,
      examples: [`rotavox token ${name} tok_…_1 --reason "why, for the history"`],
    })
      .argument('<id>', "the token's id, as `rotavox token list` shows it")
      .option('--reason <text>', 'why; kept in the history')
      .option(...jsonOption)
      .action(async (id: string, _options, command: Command) => {
        const { reason, ...options } = command.optsWithGlobals<MoveOptions>();
        const view = await openPortal(options).ask(call, {
          params: { id },
          ...(reason === undefined ? {} : { body: { reason } }),
        });
        if (options.json) printJson(view);
        else say(`${view.id} is ${view.status}.`);
      });
  }
}
