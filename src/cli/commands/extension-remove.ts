import type { Command } from 'commander';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

export function extensionRemoveCommand(extension: Command): void {
  addCommand(extension, 'remove', {
    description: 'Take an extension out of the directory. Menus that lead to it stay as they are.',
    examples: ['rotavox extension remove 101'],
  })
    .argument('<id>', "the extension's id, as `rotavox extension list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeExtensions', { body: { remove: [id] } });
      say(`Extension ${id} is removed.`);
    });
}
