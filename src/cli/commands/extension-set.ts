import { Argument, type Command } from 'commander';
import { Extension } from '../../contract/directory.ts';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

export function extensionSetCommand(extension: Command): void {
  addCommand(extension, 'set', {
    description: 'Add an extension, or change its name.',
    examples: ['rotavox extension set 101 "Front desk"'],
  })
    .addArgument(
      new Argument('<id>', 'what stands behind extension|| in a menu').argParser(valueOf(Extension.shape.id)),
    )
    .addArgument(new Argument('<name>', 'who answers there').argParser(valueOf(Extension.shape.name)))
    .action(async (id: string, name: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeExtensions', { body: { set: [{ id, name }] } });
      say(`Extension ${id} is ${name}.`);
    });
}
